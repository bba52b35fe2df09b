// The time machine: play, pause, steps, jumps, stops, and that any instant is reached exactly.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertAccessible, cli, open, picture } from './harness.mjs';

const link = async (...words) => `#${(await cli('link', ...words)).trim()}`;
const at = (page, phase) => page.locator(`[data-phase=${phase}]`).waitFor({ timeout: 120_000 });
const SHORT = ['--set', 'readers=90', '--set', 'warmup=100ms', '--set', 'duration=400ms'];
const SHORT_NS = 500_000_000;

const clock = (page) => page.locator('.playback .clock').textContent();
const nanos = async (page) => Number((await clock(page)).replaceAll(/[^\d]/g, '')) * 1_000;

/** The exact state that is shown: event and digest; waits until it is there. */
async function exact(page) {
  await page.waitForFunction(() => document.querySelector('.playback').dataset.digest);
  return page.locator('.playback').evaluate((bar) => ({
    event: Number(bar.dataset.event),
    digest: bar.dataset.digest,
  }));
}

/** Puts the cursor somewhere, as a share of the run. */
async function scrub(page, share) {
  await page.getByLabel('Time shown').evaluate((element, share) => {
    element.value = String(Math.round(share * 1000) * 10);
    element.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, share);
}

async function choose(page, label, option) {
  await page.getByLabel(label, { exact: true }).selectOption(option);
}

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

test('an instant has the same state from wherever it is reached', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...SHORT));
  await at(page, 'finished');
  // Digest after so many events, as a first visit found it; then the same places in another order.
  const places = [0.9, 0.1, 0.55, 0.31, 0.77, 0.02, 0.99, 0.42, 0.64, 0.2];
  const found = [];
  for (const place of places) {
    await scrub(page, place);
    const state = await exact(page);
    assert.ok(Math.abs((await nanos(page)) - place * SHORT_NS) < SHORT_NS / 500);
    found.push(state);
  }
  assert.equal(new Set(found.map(({ digest }) => digest)).size, places.length);
  for (const n of [3, 0, 9, 5, 8, 1, 7, 2, 6, 4]) {
    await scrub(page, places[n]);
    assert.deepEqual(await exact(page), found[n], `at ${places[n]}`);
  }
  // The last instant is that of a straight run in the terminal.
  await scrub(page, 1);
  const { digest, events } = JSON.parse(await cli('run', (await link('lumpkin2018', ...SHORT)).slice(1), '--json'));
  assert.deepEqual(await exact(page), { event: events, digest });
});

test('a step is an event, a millisecond or a wakeup, and back again', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...SHORT));
  await at(page, 'finished');
  await scrub(page, 0.4);
  const begin = await exact(page);
  await choose(page, 'A step is', 'event');
  for (let n = 1; n <= 3; n += 1) {
    await press(page, 'Step forward');
    await page.waitForFunction((event) => document.querySelector('.playback').dataset.event === event, String(begin.event + n));
  }
  for (let n = 2; n >= 0; n -= 1) {
    await press(page, 'Step back');
    await page.waitForFunction((event) => document.querySelector('.playback').dataset.event === event, String(begin.event + n));
  }
  assert.equal((await exact(page)).digest, begin.digest, 'three forth and three back is the same state');
  await choose(page, 'A step is', '1 ms');
  const before = await nanos(page);
  await press(page, 'Step forward');
  assert.equal(await nanos(page), before + 1_000_000);
  await choose(page, 'A step is', 'wakeup');
  await scrub(page, 0);
  await press(page, 'Step forward');
  const woke = await nanos(page);
  assert.ok(woke > 0, 'no worker was woken');
  await scrub(page, 1);
  await press(page, 'Step back');
  assert.ok((await nanos(page)) >= woke);
  await scrub(page, (woke + 1_000_000) / SHORT_NS);
  await press(page, 'Step back');
  assert.equal(await nanos(page), woke);
});

test('it plays, pauses and stops where direct reclaim begins', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...SHORT));
  await at(page, 'finished');
  await scrub(page, 0);
  await choose(page, 'Look for', 'direct reclaim');
  await press(page, 'Next: direct reclaim');
  const first = await nanos(page);
  assert.ok(first > 0 && first < SHORT_NS);
  await picture(page, 'direct-begins');
  await scrub(page, 0);
  await choose(page, 'Speed of playing', '100 ms/s');
  await press(page, 'Play');
  await page.waitForFunction(() => document.querySelector('.playback .clock').textContent > '0.01');
  await press(page, 'Pause');
  const paused = await nanos(page);
  assert.ok(paused < SHORT_NS);
  await exact(page);
  await page.waitForTimeout(300);
  assert.equal(await nanos(page), paused, 'it went on');
  await press(page, 'Stop there');
  await scrub(page, Math.max(0, (first - 8_000_000) / SHORT_NS));
  await press(page, 'Play');
  await page.locator('.playback .status', { hasText: 'Stopped at' }).waitFor();
  assert.equal(await nanos(page), first);
  await assertAccessible(page);
  // In a new run the cursor that follows stops there too.
  await press(page, 'Follow');
  await press(page, 'Run');
  await page.locator('.playback .status', { hasText: 'Stopped at' }).waitFor();
  assert.equal(await nanos(page), first);
});

test('reduced motion plays in steps', async (t) => {
  const page = await open(t, await link('tiny', '--set', 'duration=500ms'), { reducedMotion: 'reduce' });
  await at(page, 'finished');
  await scrub(page, 0);
  await choose(page, 'Speed of playing', '10 ms/s');
  await page.evaluate(() => {
    globalThis.times = new Set();
    const clock = document.querySelector('.playback .clock');
    new MutationObserver(() => globalThis.times.add(clock.textContent)).observe(clock, {
      characterData: true,
      childList: true,
      subtree: true,
    });
  });
  await press(page, 'Play');
  await page.waitForFunction(() => globalThis.times.size >= 4);
  await press(page, 'Pause');
  const times = await page.evaluate(() => [...globalThis.times].slice(1, 4).map((text) => Number(text.replaceAll(/[^\d]/g, ''))));
  // Each of them moves by a quarter of a second of playing, some 2.5 ms; a frame would be 0.17 ms.
  for (let n = 1; n < times.length; n += 1) assert.ok(times[n] - times[n - 1] > 1_500, `${times}`);
});
