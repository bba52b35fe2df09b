// Timelines show a part of the run: nearer, further, before, after, and as marked.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertAccessible, cli, open, picture } from './harness.mjs';

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
