// Files of a run out, and a real kernel beside it in.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { assertAccessible, assertFits, cli, open, picture } from './harness.mjs';

const root = new URL('../../', import.meta.url);
const link = async (...words) => (await cli('link', ...words)).trim();

async function finished(page) {
  await page.locator('.playback [data-phase], [data-phase]').first().waitFor();
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await page.locator('[data-phase=finished], [data-phase=held]').first().waitFor({ timeout: 120_000 });
  if (await page.locator('[data-phase=held]').isVisible()) await run.click();
  await page.locator('[data-phase=finished]').waitFor({ timeout: 120_000 });
  await page.getByText('Out and in').click();
}

async function saved(page, name) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('the files of a run are those of the terminal', async (t) => {
  const scenario = await link('tiny', '--set', 'duration=50ms');
  const page = await open(t, `#${scenario}`);
  await finished(page);
  const csv = await saved(page, 'CSV');
  assert.equal(csv.bytes.toString(), await cli('series', scenario));
  assert.match(csv.name, /^reclaimscope-tiny-[0-9a-f]{8}\.csv$/);
  assert.equal((await saved(page, 'JSON')).bytes.toString(), await cli('series', scenario, '--json'));
  assert.equal((await saved(page, 'Trace')).bytes.toString(), await cli('run', scenario, '--trace', '-'));
  const perfetto = JSON.parse((await saved(page, 'Perfetto')).bytes.toString());
  assert.equal(perfetto.otherData.kind, 'SIMULATED');
  assert.ok(perfetto.traceEvents.length > 50);
  assert.equal((await saved(page, 'SVG')).bytes.toString(), await cli('series', scenario, '--svg'));
  const png = await saved(page, 'PNG');
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.bytes.length > 10_000, `${png.bytes.length} bytes`);
});

test('a real kernel is drawn over the same machine, with where they agree', async (t) => {
  const folder = new URL('tests/data/kernel/7.3/E6-pc-lrun-rate5000/', root);
  const machine = {
    format: 1,
    preset: 'tiny',
    flavour: '7.3',
    thp: 'off',
    lru: 'classic',
    readers: 2,
    rate: 2500,
    bound: 'on',
    drives: 1,
    drive_bandwidth: '3500',
    warmup: '2s',
    duration: '5s',
    min_free_kbytes: '2719',
    nodes_detail: [{ cpus: 4, zones: [{ zone: 'DMA', managed: 3840 }, { zone: 'DMA32', managed: 112687 }] }],
  };
  const path = `${process.env.TMPDIR ?? '/tmp'}/reclaimscope-machine-${process.pid}.json`;
  const { writeFile, rm } = await import('node:fs/promises');
  await writeFile(path, JSON.stringify(machine));
  t.after(() => rm(path));
  const page = await open(t, `#${await link(path)}`);
  await finished(page);
  await page.getByLabel('shift, ms').fill('-20000');
  await page.getByLabel('shift, ms').press('Enter');
  await page.getByLabel('or a file').setInputFiles({
    name: 'vmstat.csv',
    mimeType: 'text/csv',
    buffer: await readFile(new URL('vmstat.csv', folder)),
  });
  const row = page.locator('.kernel-beside tr', { hasText: 'pgscan_kswapd' });
  await row.waitFor({ timeout: 120_000 });
  assert.match(await row.textContent(), /agrees/);
  assert.ok((await page.locator('.kernel-beside svg .kernel').count()) >= 2, 'nothing is drawn');
  assert.match(await page.locator('.kernel-beside').textContent(), /Not counted by the model: phase/);
  await assertAccessible(page);
  await assertFits(page);
  await picture(page, 'overlay');
  await page.getByLabel('A real kernel beside it').fill(await readFile(new URL('trace.txt', folder), 'utf8'));
  await page.getByRole('button', { name: 'Draw it over the run' }).click();
  await page.locator('.kernel-beside tr', { hasText: 'mm_vmscan_kswapd_wake' }).waitFor({ timeout: 120_000 });
  await page.getByLabel('A real kernel beside it').fill('hello');
  await page.getByRole('button', { name: 'Draw it over the run' }).click();
  await page.getByText('no two samples are in the text').waitFor({ timeout: 60_000 });
});
