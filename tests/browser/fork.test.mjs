// Another future from an instant on, timelines that are chosen, and what they read.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertAccessible, assertFits, cli, open, picture } from './harness.mjs';

const link = async (...words) => `#${(await cli('link', ...words)).trim()}`;
const at = (page, phase) => page.locator(`[data-phase=${phase}]`).waitFor({ timeout: 120_000 });
const native = async (fragment) => JSON.parse(await cli('run', fragment.slice(1), '--json'));
const SHORT = ['--set', 'readers=90', '--set', 'warmup=50ms', '--set', 'duration=250ms'];

/** Puts the cursor at a share of the run, by the scrubber. */
async function stand(page, share) {
  const scrubber = page.locator('.scrubber input');
  await scrubber.evaluate((slider, share) => {
    slider.value = String(Number(slider.max) * share);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, share);
}

async function enter(page, key, value) {
  const entry = page.locator(`#control-${key}`);
  await entry.evaluate((element) => {
    for (let up = element; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
  });
  await entry.fill(value);
  await entry.press('Enter');
}

test('a fork that changes nothing ends as the run; one that does keeps both futures', async (t) => {
  const hash = await link('lumpkin2018', ...SHORT);
  const page = await open(t, hash);
  await at(page, 'finished');
  const { digest } = await native(hash);
  assert.equal(await page.locator('#digest').textContent(), digest);
  await stand(page, 0.5);
  const run = Number(await page.locator('[data-run]').getAttribute('data-run'));
  await page.getByRole('button', { name: 'Change from here on' }).click();
  await page.locator(`[data-phase=finished][data-run="${run + 1}"]`).waitFor();
  assert.equal(await page.locator('#digest').textContent(), digest);
  const before = await page.locator('.strip canvas').first().evaluate((canvas) => canvas.toDataURL());
  await enter(page, 'watermark_scale_factor', '300');
  await page.locator(`[data-phase=finished][data-run="${run + 2}"]`).waitFor();
  assert.notEqual(await page.locator('#digest').textContent(), digest);
  await page.waitForTimeout(500);
  const both = await page.locator('.strip canvas').first().evaluate((canvas) => canvas.toDataURL());
  assert.notEqual(both, before, 'the futures differ and the picture does not');
  await picture(page, 'fork');
  // What cannot change while a machine runs is a sentence.
  await enter(page, 'readers', '80');
  await at(page, 'rejected');
  const told = await page.locator('.results [role=alert]').textContent();
  assert.match(told, /Readers cannot change while the machine runs/);
  await enter(page, 'readers', '90');
  await at(page, 'finished');
  await page.getByRole('button', { name: 'Leave the fork' }).click();
  await at(page, 'finished');
  const whole = await page.evaluate(() => location.hash);
  await page.waitForFunction(
    (want) => document.querySelector('#digest')?.textContent === want,
    (await native(whole)).digest,
  );
});

test('timelines are chosen from all series, series are hidden, and the link keeps the choice', async (t) => {
  const page = await open(t, await link('tiny', '--set', 'duration=50ms'));
  await at(page, 'finished');
  const titles = () => page.locator('.strip h3').allTextContents();
  const before = await titles();
  await page.getByRole('button', { name: /Choose timelines/ }).click();
  const boxes = page.locator('.chooser input');
  assert.ok((await boxes.count()) > 20, 'hardly any series can be chosen');
  await page.getByLabel('Refaults').check();
  await page.getByLabel('Reads', { exact: true }).uncheck();
  assert.deepEqual(await titles(), [...before.filter((title) => title !== 'Reads'), 'Refaults']);
  await assertAccessible(page);
  await page.setViewportSize({ width: 320, height: 800 });
  await assertFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Pages scanned series' }).click();
  const legend = page.locator('.legend button');
  const pressed = () => legend.evaluateAll((all) => all.map((b) => b.ariaPressed));
  const count = await legend.count();
  await legend.first().click();
  await page.locator('.legend button[aria-pressed=false]').waitFor();
  assert.deepEqual(await pressed(), ['false', ...Array(count - 1).fill('true')]);
  await page.reload();
  await at(page, 'finished');
  assert.equal((await titles()).at(-1), 'Refaults');
});

test('what the cursor reads is what the table says', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...SHORT));
  await at(page, 'finished');
  await page.getByRole('button', { name: 'Reads as a table' }).click();
  const rows = page.locator('#table-reads tbody tr');
  const total = await rows.count();
  const strip = page.locator('.strip', { has: page.locator('h3', { hasText: /^Reads$/ }) });
  for (const number of [3, Math.floor(total / 2), total - 5]) {
    const [time, value] = await rows.nth(number).locator('th,td').allTextContents();
    // A sample is half a millisecond: in the middle of the one that the row shows.
    await stand(page, (Number(time) - 0.00025) / 0.3);
    await page.waitForFunction(
      ({ strip, value }) => strip.querySelector('.overlay text.bold')?.textContent === value,
      { strip: await strip.elementHandle(), value },
      { timeout: 5_000 },
    );
  }
});
