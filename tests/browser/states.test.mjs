// States that a page is better prepared for: no WebAssembly, a worker that never begins, ends or
// loops without a word, memory that cannot be had, a tab that nobody looks at, a text too long for a
// box.

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

test('a worker that never begins is given up, and the scenario is kept for the next load', async (t) => {
  const hash = await link('tiny', '--set', 'duration=50ms');
  const { page, problems } = await watchedPage(t);
  await page.addInitScript(() => {
    const real = globalThis.setInterval;
    globalThis.setInterval = (run, ms, ...rest) => real(run, ms === 1000 ? 100 : ms, ...rest);
    // It starts, and hears nothing of what it shall load.
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (sessionStorage.getItem('hears')) postMessage.call(this, message, ...rest);
    };
  });
  await page.goto(site + hash);
  await at(page, 'failed');
  const sentence = await page.locator('.results [role=alert]').textContent();
  assert.match(sentence, /There is no simulator: it does not answer any more/i);
  assert.equal(await page.evaluate(() => location.hash), hash);
  await page.evaluate(() => sessionStorage.setItem('hears', 'yes'));
  await page.reload();
  await at(page, 'finished');
  assert.deepEqual(problems, []);
});

test('memory that cannot be had is said, and the scenario is kept', async (t) => {
  const hash = await link('lumpkin2018', ...LONG);
  const { page, problems } = await watchedPage(t);
  await page.goto(site + hash);
  await at(page, 'running');
  const script = await page.evaluate(() => document.querySelector('link[rel=modulepreload]').href);
  await page.workers()[0].evaluate(async (script) => {
    const { default: start } = await import(script);
    const { memory } = await start();
    // All that a module can have, which costs nothing until it is touched.
    for (let pages = 4096; pages >= 1; pages /= 2) {
      try {
        for (;;) memory.grow(pages);
      } catch {
        // a smaller piece may still be there
      }
    }
  }, script);
  await at(page, 'failed');
  const sentence = await page.locator('.results [role=alert]').textContent();
  assert.match(sentence, /no more memory.*Your settings are kept/i);
  assert.equal(await page.evaluate(() => location.hash), hash);
  await page.getByRole('button', { name: 'Run again' }).click();
  await at(page, 'running');
  assert.deepEqual(problems, []);
});

test('a tab that is hidden for a minute loses nothing of its run', async (t) => {
  const set = ['--set', 'readers=90', '--set', 'duration=4s'];
  const hash = await link('lumpkin2018', ...set);
  const told = JSON.parse(await cli('run', hash.slice(1), '--json'));
  const { page, problems } = await watchedPage(t);
  // What a browser does to a hidden tab: no frames, also not those that were asked for before, and
  // timers once a second.
  await page.addInitScript(() => {
    const frame = globalThis.requestAnimationFrame.bind(globalThis);
    const later = globalThis.setTimeout.bind(globalThis);
    const held = new Map();
    let isHidden = false;
    let isStill = false;
    let last = 0;
    const flush = (now) => {
      if (isStill) return;
      const due = [...held.values()];
      held.clear();
      for (const run of due) run(now);
    };
    globalThis.requestAnimationFrame = (run) => {
      held.set((last += 1), run);
      frame(flush);
      return last;
    };
    globalThis.cancelAnimationFrame = (number) => held.delete(number);
    globalThis.setTimeout = (run, ms = 0, ...rest) =>
      later(run, isHidden ? Math.max(ms, 1000) : ms, ...rest);
    Object.defineProperty(Document.prototype, 'hidden', { get: () => isHidden });
    Object.defineProperty(Document.prototype, 'visibilityState', {
      get: () => (isHidden ? 'hidden' : 'visible'),
    });
    // Frames stop some time before, so that one is surely waited for when the page is hidden.
    globalThis.hide = async (wish) => {
      isStill = wish;
      if (wish) await new Promise((done) => later(done, 500));
      isHidden = wish;
      document.dispatchEvent(new Event('visibilitychange'));
      if (!wish) frame(flush);
    };
  });
  await page.goto(site + hash);
  await at(page, 'running');
  await page.evaluate(() => globalThis.hide(true));
  await page.waitForTimeout(60_000);
  await page.evaluate(() => globalThis.hide(false));
  await at(page, 'finished');
  assert.equal(await page.locator('#digest').textContent(), told.digest);
  assert.equal(await page.evaluate(() => location.hash), hash);
  assert.deepEqual(problems, []);
});

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
