// Timelines show a part of the run: nearer, further, before, after, and as marked.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertAccessible, assertFits, cli, open, picture } from './harness.mjs';

const link = async (...words) => `#${(await cli('link', ...words)).trim()}`;
const at = (page, phase) => page.locator(`[data-phase=${phase}]`).waitFor({ timeout: 120_000 });

const texts = (page) => page.locator('.axis text').allTextContents();
const press = (page, name) => page.getByRole('button', { name }).click();

test('timelines zoom, move and show all again, on one axis', async (t) => {
  const page = await open(t, await link('lumpkin2018', '--set', 'warmup=50ms', '--set', 'duration=150ms'));
  await at(page, 'finished');
  const whole = await texts(page);
  assert.equal(whole.at(-1), '200 ms');
  const all = page.getByRole('button', { name: 'Show all of the run' });
  assert.equal(await all.isDisabled(), true);
  await press(page, /^Zoom in/);
  await press(page, /^Zoom in/);
  const near = await texts(page);
  assert.notDeepEqual(near, whole);
  assert.equal(near.at(-1), '200 ms', 'the cursor at the end stays in sight');
  await press(page, 'Show what is before');
  assert.notDeepEqual(await texts(page), near);
  await assertAccessible(page);
  await picture(page, 'zoomed');
  await all.click();
  assert.deepEqual(await texts(page), whole);
  // A part that is marked with Shift; pointing reads the times of that part.
  const canvas = page.locator('.strip canvas').first();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + box.width / 4, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.mouse.move(box.x + box.width / 2 + 1, box.y + 20);
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.waitForFunction(() => {
    const seconds = Number(document.querySelector('.playback .clock').textContent.replaceAll(/[^\d.]/g, ''));
    return Math.abs(seconds - 0.075) < 0.001;
  });
});

test('8 nodes of 512 CPUs and 32 kswapds with 16 devices are seen at once; a node opens', async (t) => {
  const settings = ['nodes=8', 'kswapds=32', 'cpus=512', 'memory=1GiB', 'readers=1024', 'swap_devices=16'];
  const more = ['swap_priorities=descending', 'warmup=20ms', 'duration=40ms'];
  const big = await link('small', ...[...settings, ...more].flatMap((set) => ['--set', set]));
  for (const width of [1440, 768, 320]) {
    const page = await open(t, big, { width, height: 1000 });
    await at(page, 'finished');
    await assertFits(page);
    assert.equal(await page.locator('.node.little').count(), 8);
    const machine = await page.locator('section[aria-label=Machine]').boundingBox();
    const nodes = await page.locator('.nodes').boundingBox();
    // What the nodes and 16 devices take does not push the timelines out of reach.
    assert.ok(nodes.height < (width > 700 ? 480 : 900), `${width}: nodes take ${nodes.height} px`);
    assert.ok(machine.height < (width > 700 ? 1000 : 1900), `${width}: ${machine.height} px`);
    assert.equal(await page.getByRole('button', { name: /^Why: swap device \d+$/ }).count(), 16);
    const opens = page.getByRole('button', { name: 'open node 3', exact: true });
    await opens.focus();
    await page.keyboard.press('Enter');
    await page.locator('#node-opened .node h2', { hasText: 'Node 3' }).waitFor();
    assert.match(await page.locator('#node-opened svg').getAttribute('aria-label'), /^Node 3: free .* 32 kswapds awake/);
    if (width === 768) await assertAccessible(page);
    await page.getByRole('button', { name: 'close node 3', exact: true }).click();
    await page.locator('#node-opened .node').waitFor({ state: 'detached' });
  }
  // A lone busy CPU of 4,096 is more than a hairline in the timeline.
  const page = await open(t, big);
  await at(page, 'finished');
  const strip = page.locator('.strip', { has: page.locator('h3', { hasText: /^CPU by use$/ }) });
  await strip.scrollIntoViewIfNeeded();
  await strip.getByText('off the scale').waitFor();
});
