// Comparisons and sweeps in the page: the mail is that of the terminal byte for byte, from the keyboard
// alone, and comes back however it was quoted.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertAccessible, assertFits, cli, open, picture } from './harness.mjs';

const ARMS = ['--arm', 'A:', '--arm', 'B=eight:kswapds=8,policy=single', '--set', 'duration=200ms'];
const link = async (...words) => (await cli('link', ...words)).trim();
const done = (page) => page.locator('.run[data-phase=done]').waitFor({ timeout: 60_000 });
const mail = (page) => page.locator('textarea.mail').inputValue();

test('a link with arms opens at its comparison, and its mail is that of the terminal', async (t) => {
  const arms = await link('tiny', ...ARMS);
  const page = await open(t, `#${arms}`);
  await page.getByRole('heading', { name: 'Compare', exact: true }).waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'eight');
  await page.getByLabel('Replications').selectOption('5');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await done(page);
  assert.equal(await mail(page), await cli('mail', arms, '--reps', '5'));
  for (const words of ['What it costs', 'no detectable difference', 'SIMULATED']) {
    assert.ok((await page.locator('main').textContent()).includes(words), words);
  }
  await page.getByRole('button', { name: 'application work as a table' }).click();
  await page.getByText('Where the time goes').click();
  const said = JSON.parse(await cli('compare', arms, '--reps', '5', '--json'));
  const [band] = said.bands.filter(({ name }) => name === 'throughput');
  const shown = await page.locator('.bands tbody td:last-child').allTextContents();
  assert.equal(shown.length, band.others[0].difference.length);
  // The table has three digits, in millions of bytes.
  const near = (text, bytes) => assert.ok(Math.abs(parseFloat(text) * 1e6 - bytes) <= Math.abs(bytes) * 0.02 + 2e3, text);
  shown.forEach((text, n) => {
    const [mean, half] = text.split(' \u00b1 ');
    near(mean.replace('\u2212', '-'), band.others[0].difference[n]);
    near(half, band.others[0].half_width[n]);
  });
  const locks = said.parts.filter(({ name }) => name.startsWith('lock/')).map(({ name }) => name.slice(5));
  const rows = await page.locator('.arms-table').last().locator('tbody th').allTextContents();
  for (const lock of locks) assert.ok(rows.includes(lock.replaceAll('_', ' ')), lock);
  await assertAccessible(page);
  await assertFits(page);
  await picture(page, 'compare');
  await page.getByLabel('Warm-up').selectOption('one an arm');
  await page.getByText('These are of the settings before').waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await done(page);
  assert.equal(await mail(page), await cli('mail', arms, '--reps', '5', '--warm', 'shared'));
});

test('an arm is added, changed and removed, and the address follows', async (t) => {
  const page = await open(t, `#${await link('tiny')}`);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('button', { name: 'Add arm B' }).click();
  await page.getByLabel('Arm B: value of kswapds').fill('40');
  await page.getByLabel('Arm B: value of kswapds').press('Enter');
  await page.locator('.arms .error').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled());
  await page.getByLabel('Arm B: value of kswapds').fill('4');
  await page.getByLabel('Arm B: value of kswapds').press('Enter');
  await page.getByRole('button', { name: 'Another setting' }).click();
  await page.getByLabel('Arm B: value of policy').selectOption({ index: 0 });
  await page.waitForFunction(() => location.hash.includes('.B.k4.p-'));
  await page.getByRole('button', { name: 'Add arm C' }).click();
  await page.getByRole('button', { name: 'Remove arm B' }).click();
  await page.waitForFunction(() => !location.hash.includes('.p-'));
  const back = await page.evaluate(() => location.hash);
  const words = await cli('show', back.slice(1));
  assert.ok(words.includes('B: kswapds=4'), words);
});

test('from load to the mail with the keyboard alone', async (t) => {
  const page = await open(t, `#${await link('tiny', '--set', 'duration=200ms')}`);
  const focusOn = async (name) => {
    for (let n = 0; n < 120; n += 1) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(
        () => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent,
      );
      if (at.trim() === name) return;
    }
    assert.fail(`${name} is not reached`);
  };
  await page.locator('.places').waitFor();
  await focusOn('Compare');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Compare', exact: true }).waitFor();
  await focusOn('Add arm B');
  await page.keyboard.press('Enter');
  await focusOn('Run');
  await page.keyboard.press('Enter');
  await done(page);
  await focusOn('Copy the mail');
  await focusOn('The mail');
  const text = await mail(page);
  const address = await page.evaluate(() => location.hash.slice(1));
  assert.equal(text, await cli('mail', address, '--reps', '20'));
});

test('a mail comes back quoted and wrapped, and says when its numbers are of another model', async (t) => {
  const arms = await link('tiny', ...ARMS);
  const text = await cli('mail', arms, '--reps', '2');
  const quote = (mark) => (line) => mark + line;
  const quoted = text
    .replace(/model [0-9.]+/, 'model 0.0.9')
    .split('\n')
    .map(quote('> > > '))
    .join('\r\n');
  const page = await open(t, '');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByText('Open a mail').click();
  await page.locator('#mail-back').fill(quoted);
  await page.getByRole('button', { name: 'Open its comparison' }).click();
  await page.getByText('made with model').waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'eight');
  const hash = await page.evaluate(() => location.hash.slice(1));
  assert.equal(await link(hash), arms);
});

test('a comparison is cancelled at once and another one begun', async (t) => {
  const page = await open(t, `#${await link('lumpkin2018', '--arm', 'A:', '--arm', 'B:kswapds=4')}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.run[data-phase=running]').waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.locator('.run[data-phase=cancelled]').waitFor({ timeout: 2_000 });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.run[data-phase=running]').waitFor();
});

test('a sweep of one and of two controls has the numbers of the terminal', async (t) => {
  const scenario = await link('tiny', '--set', 'duration=50ms');
  const page = await open(t, `#${scenario}`);
  await page.getByRole('button', { name: 'Sweep', exact: true }).click();
  await page.getByLabel('Replications').selectOption('3');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await done(page);
  const table = await cli('sweep', scenario, '--over', 'kswapds=1,2,4,8', '--reps', '3');
  const cells = await page.locator('.results-of table').first().locator('td').allTextContents();
  const digests = cells.filter((text) => /^[0-9a-f]{16}$/.test(text));
  assert.deepEqual(digests, table.match(/[0-9a-f]{16}/g).slice(-4));
  await page.locator('.curve svg').waitFor();
  await assertAccessible(page);
  await picture(page, 'sweep-curve');
  await page.getByLabel('View').selectOption('gain of each added worker');
  await page.getByLabel('Second control').selectOption({ label: 'Readers' });
  await page.getByLabel('Replications').selectOption('1');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await done(page);
  await page.locator('.map td').first().waitFor();
  assert.equal(await page.locator('.map tbody td').count(), 12);
  await page.getByLabel('View').selectOption('throughput');
  await assertAccessible(page);
  await assertFits(page);
  await picture(page, 'sweep-map');
});
