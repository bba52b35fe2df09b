// States that a page is better prepared for: no WebAssembly, a worker that ends or loops without a
// word, a text too long for a box.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cli, open, site, watchedPage } from './harness.mjs';

const link = async (...words) => `#${(await cli('link', ...words)).trim()}`;
const at = (page, phase) => page.locator(`[data-phase=${phase}]`).waitFor({ timeout: 120_000 });
const LONG = ['--set', 'readers=90', '--set', 'duration=10s'];

test('a browser without WebAssembly is told so, and not kept waiting', async (t) => {
  const { page } = await watchedPage(t);
  await page.addInitScript(() => delete globalThis.WebAssembly);
  await page.goto(site);
  await page.locator('.results [role=alert]', { hasText: 'no WebAssembly' }).waitFor();
  assert.equal(await page.locator('.playback .status').textContent(), 'cannot simulate');
});

test('a page whose own part cannot be read says so', async (t) => {
  const { page } = await watchedPage(t);
  await page.route('**/reclaimscope-site*.wasm', (route) => route.abort());
  await page.goto(site);
  await page.locator('.results [role=alert]', { hasText: 'could not be read' }).waitFor();
});

// Beats of the page's heart come a second apart; here they come as fast as they are asked for.
async function withFastHeart(t, hash) {
  const { page, problems } = await watchedPage(t);
  await page.addInitScript(() => {
    const real = globalThis.setInterval;
    globalThis.setInterval = (run, ms, ...rest) => real(run, ms === 1000 ? 100 : ms, ...rest);
  });
  await page.goto(site + hash);
  return { page, problems };
}

for (const [name, end] of [
  ['closes itself', () => self.close()],
  ['loops for ever', () => void setTimeout(() => { for (;;); })],
]) {
  test(`a worker that ${name} is noticed, and the scenario is kept`, async (t) => {
    const hash = await link('lumpkin2018', ...LONG);
    const { page, problems } = await withFastHeart(t, hash);
    await at(page, 'running');
    await page.workers()[0].evaluate(end).catch(() => {});
    await at(page, 'failed');
    const sentence = await page.locator('.results [role=alert]').textContent();
    assert.match(sentence, /does not answer any more.*Your settings are kept/i);
    assert.equal(await page.evaluate(() => location.hash), hash);
    await page.getByRole('button', { name: 'Run again' }).click();
    await at(page, 'running');
    assert.deepEqual(problems, []);
  });
}

test('a text of megabytes is taken or refused without passing through the box', async (t) => {
  const page = await open(t, await link('tiny', '--set', 'duration=50ms'));
  await at(page, 'finished');
  await page.locator('.paste > summary').click();
  const took = await page.locator('#paste').evaluate((box) => {
    const data = new DataTransfer();
    data.setData('text/plain', 'nothing that a machine says\n'.repeat(200_000));
    const begin = performance.now();
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    return { ms: performance.now() - begin, shown: box.value.length };
  });
  assert.equal(took.shown, 0);
  await page.locator('.paste .notice.bad', { hasText: 'Nothing was taken' }).waitFor();
});
