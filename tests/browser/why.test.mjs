// Why: what stands in a node says what happens there and by which rule.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertAccessible, assertFits, cli, open, picture } from './harness.mjs';

const link = async (...words) => `#${(await cli('link', ...words)).trim()}`;
const at = (page, phase) => page.locator(`[data-phase=${phase}]`).waitFor({ timeout: 120_000 });
const SHORT = ['--set', 'readers=90', '--set', 'kswapds=4', '--set', 'warmup=50ms', '--set', 'duration=150ms'];

test('a worker, a lock, free memory and tasks answer, by mouse and by keyboard', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...SHORT));
  await at(page, 'finished');
  const card = page.locator('.why');
  for (const [name, title, rule] of [
    ['Why: kswapd0:2', /^kswapd0:2 /, /\(\)/],
    ['Why: lru_lock of node 1', /^lru_lock of node 1 /, /lruvec_lock_irq\(\)/],
    ['Why: free memory of node 0', /^Free memory of node 0 is /, /pgdat_balanced\(\)/],
    ['Why: tasks of node 1', /in direct reclaim on node 1/, /try_to_free_pages\(\)/],
  ]) {
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await card.locator('h2', { hasText: title }).waitFor();
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    const text = await card.textContent();
    assert.match(text, rule);
    assert.match(text, /kernel 4\.16/);
  }
  // The card follows the cursor: at the beginning no reader was ever in direct reclaim.
  await page.getByLabel('Time shown').focus();
  await page.keyboard.press('Home');
  await card.locator('h2', { hasText: 'Nobody is in direct reclaim on node 1' }).waitFor();
  await page.getByRole('button', { name: 'Why: kswapd0:0', exact: true }).click();
  await card.locator('h2', { hasText: 'kswapd0:0 sleeps' }).waitFor();
  await card.locator('summary').click();
  assert.match(await card.textContent(), /WakeLatency.*GUESS/);
  await assertAccessible(page);
  await picture(page, 'why');
  await page.getByRole('button', { name: 'Close the answer' }).click();
  await card.waitFor({ state: 'detached' });
});

test('dips and peaks of a timeline answer where they are, by keyboard', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...SHORT));
  await at(page, 'finished');
  const card = page.locator('.why');
  const clock = page.locator('.playback .clock');
  await page.getByLabel('Time shown').focus();
  await page.keyboard.press('Home');
  for (const [name, title, rule] of [
    ['Why the dip: Free memory', /^Free memory of node [01] is /, /pgdat_balanced\(\)|get_page_from_freelist\(\)|zone_watermark/],
    ['Why the peak: Lock held', /^lru_lock of node [01] /, /lruvec_lock_irq\(\)/],
    ['Why the dip: Reads', /in direct reclaim on node [01]$/, /try_to_free_pages\(\)/],
  ]) {
    const before = await clock.textContent();
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await card.locator('h2', { hasText: title }).waitFor();
    assert.notEqual(await clock.textContent(), before, `${name} moves the cursor`);
    const text = await card.textContent();
    assert.match(text, rule);
    assert.match(text, /kernel 4\.16/);
  }
  // The lowest value of the table twin is where the cursor stands.
  await page.getByRole('button', { name: 'Why the dip: Free memory', exact: true }).click();
  await page.getByRole('button', { name: 'Free memory as a table' }).click();
  const rows = await page.locator('#table-free-memory tbody tr').evaluateAll((rows) =>
    rows.map((row) => [...row.cells].map((cell) => Number(cell.textContent))),
  );
  const lowest = Math.min(...rows.flatMap((row) => row.slice(1)));
  const read = await page.locator('[aria-label^="Free memory at the cursor"]').first().getAttribute('aria-label');
  const values = [...read.matchAll(/node \d+ ([\d.]+)/g)].map((match) => Number(match[1]));
  assert.ok(Math.min(...values) <= lowest, `${read}; the table has ${lowest}`);
  await assertAccessible(page);
  await picture(page, 'why-dip');
});

test('the answer fits at 320 px', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...SHORT), { width: 320, height: 640 });
  await at(page, 'finished');
  await page.getByRole('button', { name: 'Why: lru_lock of node 0', exact: true }).click();
  await page.locator('.why .facts').waitFor();
  await assertFits(page);
});

test('every part of swap answers, by keyboard, in rings and in a list', async (t) => {
  const page = await open(t, await link('policy-ring', '--set', 'memcg=48MiB'));
  await at(page, 'finished');
  const card = page.locator('.why');
  const ask = async (name, title, words) => {
    const button = page.getByRole('button', { name: `Why: ${name}`, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await card.locator('h2', { hasText: title }).waitFor();
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    const text = await card.textContent();
    assert.match(text, words);
    assert.match(text, /kernel 7\.3/);
  };
  await ask('swap ring 1', /^Ring of all devices$/, /quota.*device 3.*pages a CPU takes in a row/s);
  await ask('swap device 2', /^Device 2 is \d+ % used$/, /folio_alloc_swap\(\).*CPUs that go on here/s);
  await ask('queue mask lock', /^queue mask lock is /, /No allocation takes it.*SwapQueueRead/s);
  await ask('si->lock', /^si->lock: \d of 4 held/, /isolate_lock_cluster\(\).*SwapDeviceHold/s);
  await ask('ci->lock', /^ci->lock: \d+ %/, /swap_alloc_fast\(\).*SwapClusterHold/s);
  await ask('the cgroup', /^The cgroup is /, /try_charge_memcg\(\).*memory\.peak/s);
  // What the marks mean stands below them.
  assert.match(await page.locator('.node.swap').textContent(), /Left.*quota 512/);
  await assertAccessible(page);
  await picture(page, 'why-swap');

  const listed = await open(t, await link('policy-ring', '--set', 'allocator=device-plist', '--set', 'zswap=on'));
  await at(listed, 'finished');
  for (const [name, words] of [
    ['swap_avail_lock', /Every allocation takes it.*plist_requeue\(\)/s],
    ['zswap', /zswap_store\(\).*takes pages again below/s],
    ['swap device 0', /list/],
  ]) {
    await listed.getByRole('button', { name: `Why: ${name}`, exact: true }).click();
    await listed.locator('.why .facts').waitFor();
    await listed.waitForFunction(
      ([pattern]) => new RegExp(pattern, 's').test(document.querySelector('.why').textContent),
      [words.source],
    );
  }
});
