// The form: every change can be undone, controls are found by name, changed ones set back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertAccessible, cli, open, picture } from './harness.mjs';

const link = async (...words) => `#${(await cli('link', ...words)).trim()}`;
const finished = (page) => page.locator('[data-phase=finished]').waitFor({ timeout: 120_000 });
const QUICK = ['--set', 'duration=50ms'];
const hash = (page) => page.evaluate(() => location.hash);

async function enter(page, key, value) {
  await page.locator(`#control-${key}`).fill(value);
  await page.locator(`#control-${key}`).press('Enter');
}

test('changes are undone and done again, by buttons and by keys, and said', async (t) => {
  const page = await open(t, await link('tiny', ...QUICK));
  await finished(page);
  const begin = await hash(page);
  const undo = page.getByRole('button', { name: 'Undo' });
  const redo = page.getByRole('button', { name: 'Redo' });
  assert.equal(await undo.isDisabled(), true);
  await enter(page, 'kswapds', '4');
  await enter(page, 'readers', '7');
  const end = await hash(page);
  await undo.click();
  await page.locator('[role=status]', { hasText: 'Undone: Readers is 1.' }).waitFor({ state: 'attached' });
  assert.equal(await page.locator('#control-readers').inputValue(), '1');
  // The key works from an entry too, as long as nothing is being typed there.
  await page.locator('#control-kswapds').focus();
  await page.keyboard.press('Control+z');
  await page.waitForFunction((want) => location.hash === want, begin);
  assert.equal(await undo.isDisabled(), true);
  await page.keyboard.press('Control+Shift+Z');
  await redo.click();
  await page.waitForFunction((want) => location.hash === want, end);
  assert.equal(await redo.isDisabled(), true);
  await finished(page);
  // While a text is typed the key is the entry's own.
  await page.locator('#control-kswapds').focus();
  await page.keyboard.type('1');
  await page.keyboard.press('Control+z');
  assert.equal(await hash(page), end);
});

test('a control is found by its label, its key and its kernel name', async (t) => {
  const page = await open(t, await link('tiny', ...QUICK));
  await finished(page);
  const find = page.getByRole('searchbox');
  const shown = page.locator('.control:visible');
  const all = await page.locator('.control').count();
  for (const [text, id] of [
    ['LRU part', 'control-lru_partitions'],
    ['watermark_scale', 'control-watermark_scale_factor'],
    ['min_free_k', 'control-min_free_kbytes'],
  ]) {
    await find.fill(text);
    await page.locator(`#${id}`).waitFor();
    assert.ok((await shown.count()) < all / 4, `${text} leaves ${await shown.count()} of ${all}`);
  }
  await assertAccessible(page);
  await find.fill('no such control');
  await page.locator('.find [role=status]', { hasText: '0 controls' }).waitFor();
  await find.fill('');
  await page.waitForFunction((all) => document.querySelectorAll('.control').length === all, all);
});

test('what differs from the preset is marked and set back, one by one and by group', async (t) => {
  const page = await open(t, await link('tiny', ...QUICK, '--set', 'kswapds=4', '--set', 'lru_partitions=2'));
  await finished(page);
  const marked = page.locator('.control.changed');
  assert.equal(await marked.count(), 3);
  await picture(page, 'changed');
  await page.getByRole('button', { name: 'Set all of Reclaim back' }).click();
  assert.equal(await marked.count(), 1);
  await page.getByRole('button', { name: /^Set Window back to/ }).click();
  assert.equal(await marked.count(), 0);
  assert.equal(await hash(page), await link('tiny'));
});
