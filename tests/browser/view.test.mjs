// What a person does with a run beside starting it: cancel, look back, compare numbers, lose a worker.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cli, open, site, watchedPage } from './harness.mjs';

const link = async (...words) => `#${(await cli('link', ...words)).trim()}`;
const at = (page, phase) => page.locator(`[data-phase=${phase}]`).waitFor({ timeout: 120_000 });
const SHORT = ['--set', 'warmup=50ms', '--set', 'duration=150ms'];
const LONG = ['--set', 'readers=90', '--set', 'duration=10s'];

const clock = (page) => page.locator('.playback .clock').textContent();
const nodes = (page) =>
  page.locator('.node svg').evaluateAll((all) => all.map((svg) => svg.getAttribute('aria-label')));

test('cancel stops at once and keeps what was simulated', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...LONG));
  await at(page, 'running');
  await page.waitForFunction(() => document.querySelector('.playback .clock').textContent > '0.05');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await at(page, 'cancelled');
  const [time, machine] = [await clock(page), await nodes(page)];
  await page.waitForTimeout(1_000);
  assert.equal(await clock(page), time, 'it went on');
  assert.deepEqual(await nodes(page), machine);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await at(page, 'running');
});

test('the time cursor shows the machine as it was, and follows again', async (t) => {
  const page = await open(t, await link('lumpkin2018', '--set', 'readers=90', ...SHORT));
  await at(page, 'finished');
  const [endTime, end] = [await clock(page), await nodes(page)];
  await page.getByLabel('Time shown').focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('.playback .clock').textContent === '0.000 000 s');
  const begin = await nodes(page);
  assert.notDeepEqual(begin, end);
  await page.getByRole('button', { name: 'Step forward' }).click();
  assert.notEqual(await clock(page), '0.000 000 s');
  // The cursor reads every timeline where it stands.
  assert.ok((await page.locator('.overlay text.halo').count()) >= 6, 'nothing is read at the cursor');
  await page.getByRole('button', { name: 'Follow' }).click();
  assert.equal(await clock(page), endTime);
  assert.deepEqual(await nodes(page), end);
});

test('pointing at a timeline moves the cursor of all, and leaving brings it back', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...SHORT));
  await at(page, 'finished');
  const before = await clock(page);
  const box = await page.locator('.strip canvas').nth(2).boundingBox();
  await page.mouse.move(box.x + box.width / 4, box.y + 10);
  await page.waitForFunction((was) => document.querySelector('.playback .clock').textContent !== was, before);
  const seconds = Number((await clock(page)).replaceAll(/[^\d.]/g, ''));
  assert.ok(Math.abs(seconds - 0.05) < 0.002, `a quarter of 200 ms is shown as ${seconds} s`);
  await page.mouse.move(5, 5);
  await page.waitForFunction((was) => document.querySelector('.playback .clock').textContent === was, before);
});

test('all counters of the window are those of the command line', async (t) => {
  const hash = await link('lumpkin2018', '--set', 'readers=90', ...SHORT);
  const page = await open(t, hash);
  await at(page, 'finished');
  const { vmstat, events, locks, workers } = JSON.parse(await cli('run', hash.slice(1), '--json'));
  const rows = await page.locator('.results .scroll table').nth(1).locator('tbody tr').evaluateAll((all) =>
    all.map((row) => [row.cells[0].textContent, Number(row.cells[1].textContent.replaceAll(',', ''))]),
  );
  const shown = Object.fromEntries(rows);
  const rose = Object.fromEntries(Object.entries(vmstat).filter(([, count]) => count > 0));
  assert.deepEqual(shown, rose);
  assert.ok(Object.keys(rose).length > 5);
  const results = await page.locator('.results').textContent();
  assert.ok(results.includes(events.toLocaleString('en-US')), 'the number of events differs');
  for (const [name, rows] of [['Locks', locks], ['Workers', workers]]) {
    const count = page.locator('.results details > summary', { hasText: name }).locator('span');
    assert.equal(await count.textContent(), String(rows.length), name);
  }
});

test('a slider moves by keyboard, and a drag is one step back', async (t) => {
  const page = await open(t, await link('tiny', '--set', 'duration=50ms'));
  await at(page, 'finished');
  const before = await page.evaluate(() => [history.length, location.hash]);
  const slider = page.getByLabel('kswapds a node, slider');
  await slider.focus();
  await slider.evaluate((element) => {
    // What a drag over three values fires.
    for (const position of ['1', '2', '3']) {
      element.value = position;
      element.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    element.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.waitForFunction(() => /\.k4\./.test(location.hash));
  assert.equal(await page.evaluate(() => history.length), before[0] + 1);
  await page.goBack();
  await page.waitForFunction((want) => location.hash === want, before[1]);
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => /\.k2\./.test(location.hash));
  await at(page, 'finished');
});

test('a worker that dies says so, keeps everything, and the next run works', async (t) => {
  const { page, problems } = await watchedPage(t);
  const hash = await link('lumpkin2018', ...LONG);
  await page.goto(site + hash);
  await at(page, 'running');
  await page.workers()[0].evaluate(() => {
    setTimeout(() => {
      throw new Error('out of memory');
    });
  });
  await at(page, 'failed');
  const sentence = await page.locator('.results [role=alert]').textContent();
  assert.match(sentence, /The run stopped at .*out of memory.*Your settings are kept\./);
  assert.equal(await page.evaluate(() => location.hash), hash);
  await page.getByRole('button', { name: 'Run again' }).click();
  await at(page, 'running');
  const others = problems.filter((problem) => !problem.includes('out of memory'));
  assert.deepEqual(others, []);
});

test('a simulator that cannot be loaded is not waited for', async (t) => {
  const { page } = await watchedPage(t);
  await page.route('**/worker.js', (route) => route.fulfill({ status: 404 }));
  await page.goto(site);
  await at(page, 'failed');
  const sentence = await page.locator('.results [role=alert]').textContent();
  assert.match(sentence, /There is no simulator/);
  // The controls still make links.
  await page.locator('#control-kswapds').fill('4');
  await page.locator('#control-kswapds').press('Enter');
  await page.waitForFunction(() => /\.k4\./.test(location.hash));
});

test('a timeline that was out of sight shows the run that is there when it comes into sight', async (t) => {
  const canvases = (page) =>
    page.locator('.strip canvas').evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));
  const look = async (page) => {
    const strips = page.locator('.strip canvas');
    for (let n = 0; n < (await strips.count()); n += 1) {
      await strips.nth(n).scrollIntoViewIfNeeded();
      await page.waitForTimeout(250);
    }
    return canvases(page);
  };
  // Two loads whose samples are of the same times.
  const [one, other] = [await link('tiny', ...SHORT), await link('tiny', '--set', 'readers=8', ...SHORT)];
  const page = await open(t, one, { width: 1440, height: 300 });
  await at(page, 'finished');
  const before = await look(page);
  await page.evaluate(() => scrollTo(0, 0));
  const was = await page.locator('#digest').textContent();
  await page.evaluate((to) => (location.hash = to), other);
  await page.waitForFunction(
    (old) => document.querySelector('#digest')?.textContent !== old,
    was,
  );
  await at(page, 'finished');
  const after = await look(page);
  const fresh = await open(t, other, { width: 1440, height: 300 });
  await at(fresh, 'finished');
  assert.deepEqual(after, await look(fresh));
  assert.notDeepEqual(before, after);
});

test('the theme is chosen, kept, and followed by what is drawn on canvas', async (t) => {
  const page = await open(t, await link('lumpkin2018', ...SHORT), { colorScheme: 'light' });
  await at(page, 'finished');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const ink = () =>
    page.locator('.strip canvas').first().evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const sums = new Map();
      for (let n = 0; n < data.length; n += 4) {
        if (data[n + 3] < 255) continue;
        const colour = [data[n], data[n + 1], data[n + 2]].join();
        sums.set(colour, (sums.get(colour) ?? 0) + 1);
      }
      return [...sums].filter(([, count]) => count > 50).map(([colour]) => colour);
    });
  const theme = page.getByRole('button', { name: /^Theme/ });
  assert.equal(await ground(), 'rgb(255, 255, 255)');
  assert.ok((await ink()).includes('22,25,29'), 'no ink on the light canvas');
  await theme.click();
  await theme.click();
  assert.equal(await ground(), 'rgb(18, 21, 24)');
  await page.waitForTimeout(500);
  assert.ok((await ink()).includes('232,234,237'), 'no ink on the dark canvas');
  await page.reload();
  await at(page, 'finished');
  assert.equal(await ground(), 'rgb(18, 21, 24)');
});

test('the link is copied whole', async (t) => {
  const hash = await link('tiny', '--set', 'duration=50ms');
  const page = await open(t, hash, { permissions: ['clipboard-read', 'clipboard-write'] });
  await at(page, 'finished');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), site + hash);
});
