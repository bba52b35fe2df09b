// The page as a person uses it: the same digest as the command line, links, sliders, pasted machines,
// bad input, keyboard, sizes and themes.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { assertAccessible, assertFits, cli, open, picture, site, watchedPage } from './harness.mjs';

const root = new URL('../../', import.meta.url);

/** The fragment of a scenario, as the command line writes it. */
const link = async (...words) => `#${(await cli('link', ...words)).trim()}`;

/** What the command line says of the same link. */
const native = async (fragment) => JSON.parse(await cli('run', fragment.slice(1), '--json'));

const at = (page, phase) => page.locator(`[data-phase=${phase}]`).waitFor({ timeout: 120_000 });
const digest = (page) => page.locator('#digest').textContent();
const fragment = (page) => page.evaluate(() => location.hash);

/** Runs what the address asks for, where it waits to be asked. */
async function run(page) {
  await page.locator('[data-phase]').waitFor();
  const phase = () => page.locator('[data-phase]').getAttribute('data-phase');
  if ((await phase()) === 'held') await page.getByRole('button', { name: 'Run', exact: true }).click();
  await at(page, 'finished');
}

/** Enters a value into a control, wherever it is folded away. */
async function set(page, key, value) {
  const entry = page.locator(`#control-${key}`);
  await entry.evaluate((element) => {
    for (let up = element; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
  });
  await entry.fill(value);
  await entry.press('Enter');
}

const SHORT = ['--set', 'warmup=50ms', '--set', 'duration=150ms'];

test('a link gives the same digest and numbers in the page and in the terminal', async (t) => {
  const settings = ['--set', 'kswapds=4', '--set', 'readers=58', '--set', 'seed=7'];
  const hash = await link('lumpkin2018', ...settings, ...SHORT);
  const page = await open(t, hash);
  await run(page);
  const report = await native(hash);
  assert.equal(await digest(page), report.digest);
  assert.ok(report.events > 100_000, 'nothing was simulated');
  const results = await page.locator('main').textContent();
  const reads = (report.throughput / 1e9).toPrecision(3);
  assert.ok(results.includes(reads), `the results do not say ${reads} GB/s`);
  assert.equal(await fragment(page), hash);
  await page.reload();
  await run(page);
  assert.equal(await digest(page), report.digest, 'the reloaded page differs');
  await picture(page, 'link');
});

test('every kind of list, policy and partition gives the same digest as the terminal', async (t) => {
  const scenarios = [
    ['tiny', '--set', 'readers=6', '--set', 'kswapds=3', '--set', 'duration=200ms'],
    ['lumpkin2018', '--set', 'lru=mglru', '--set', 'readers=90', ...SHORT],
    ['lumpkin2018', '--set', 'shadow_entries=on', '--set', 'readers=76', ...SHORT],
    ['lumpkin2018', '--set', 'policy=psi', '--set', 'kswapds=8', '--set', 'lru_partitions=4', ...SHORT],
  ];
  const page = await open(t);
  for (const scenario of scenarios) {
    const hash = await link(...scenario);
    await page.goto('about:blank');
    await page.goto(site + hash);
    await run(page);
    assert.equal(await digest(page), (await native(hash)).digest, scenario.join(' '));
  }
});

test('a changed control restarts the run, and the old answer never overwrites the new', async (t) => {
  const page = await open(t, await link('lumpkin2018', '--set', 'readers=90', '--set', 'duration=8s'));
  await page.locator('[data-phase]').waitFor();
  if (await page.locator('[data-phase=held]').isVisible()) {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
  }
  await at(page, 'running');
  await set(page, 'kswapds', '2');
  await set(page, 'warmup', '20ms');
  await set(page, 'duration', '100ms');
  await at(page, 'finished');
  const hash = await fragment(page);
  assert.match(hash, /\.k2\./);
  const want = (await native(hash)).digest;
  assert.equal(await digest(page), want);
  // The abandoned run would have ended by now, had it gone on.
  await page.waitForTimeout(3_000);
  assert.equal(await digest(page), want);
  assert.equal(await fragment(page), hash);
});

test('the address holds what is shown while controls change, and going back brings it back', async (t) => {
  const page = await open(t, await link('tiny', '--set', 'duration=50ms'));
  await run(page);
  const before = await fragment(page);
  await set(page, 'readers', '3');
  await at(page, 'finished');
  assert.match(await fragment(page), /\.r3\./);
  await page.goBack();
  await page.waitForFunction((want) => location.hash === want, before);
  assert.equal(await page.locator('#control-readers').inputValue(), '1');
});

test('bad input is a sentence at its place, and the last good value stays', async (t) => {
  const page = await open(t, await link('tiny', '--set', 'duration=50ms'));
  await run(page);
  const before = await fragment(page);
  for (const [key, value] of [
    ['kswapds', '0'],
    ['memory', '0'],
    ['nodes', '9'],
    ['readers', 'many'],
    ['seed', '99999999999999999999'],
  ]) {
    await set(page, key, value);
    const described = await page.locator(`#control-${key}`).evaluate((element) => {
      const ids = (element.getAttribute('aria-describedby') ?? '').split(/\s+/).filter(Boolean);
      return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    });
    assert.equal(await page.locator(`#control-${key}`).getAttribute('aria-invalid'), 'true', key);
    assert.ok(described.length > 10, `${key}: no sentence says what is wrong`);
    assert.equal(await fragment(page), before, `${key} changed the link`);
  }
});

test('damaged links say what is damaged and keep the rest', async (t) => {
  const good = await link('lumpkin2018', '--set', 'kswapds=4', '--set', 'readers=58', ...SHORT);
  const damaged = [
    [good.slice(0, -6), /truncat|altered|missing/i],
    [good.replace('.r58.', '.r58x.'), /r58x/],
    ['#v99.l18.k4.abc', /newer/i],
    ['#v1.nosuch.k4.abc', /nosuch/],
    [`#${'A'.repeat(1_000_000)}`, /./],
  ];
  const page = await open(t);
  for (const [hash, sentence] of damaged) {
    await page.goto('about:blank');
    await page.goto(site + hash);
    const notice = page.locator('.notice').first();
    await notice.waitFor();
    assert.match(await notice.textContent(), sentence, hash.slice(0, 60));
  }
  await page.goto('about:blank');
  await page.goto(site + good.replace('.r58.', '.r58x.'));
  await page.locator('.notice').first().waitFor();
  assert.equal(await page.locator('#control-kswapds').inputValue(), '4', 'the rest was not kept');
});

test('a link that cannot be read does not stay in the address', async (t) => {
  const hash = await link('tiny', '--set', 'kswapds=3', '--set', 'duration=50ms');
  const page = await open(t, hash);
  await run(page);
  for (const bad of ['#junk', hash.slice(0, -4), `#%3C${hash.slice(1)}%3E`]) {
    await page.evaluate((to) => {
      location.hash = to;
    }, bad);
    await page.waitForFunction((want) => location.hash === want, hash);
    assert.equal(await page.locator('#control-kswapds').inputValue(), '3', bad);
  }
});

test('a simulator that cannot be loaded is told, the first time and later', async (t) => {
  const { page } = await watchedPage(t);
  await page.route('**/worker.js', (route) => route.fulfill({ status: 404 }));
  await page.goto(site + (await link('tiny', '--set', 'duration=50ms')));
  await at(page, 'failed');
  assert.match(await page.locator('.results').textContent(), /simulator/i);
});

test('a pasted zoneinfo becomes that machine; half of one says so and loses nothing', async (t) => {
  const folder = new URL('tests/data/kernel/zoneinfo/', root);
  const text = await readFile(new URL('7.3-2048-2-normal.zoneinfo', folder), 'utf8');
  const sysctl = await readFile(new URL('7.3-2048-2-normal.sysctl', folder), 'utf8');
  const page = await open(t, await link('tiny', '--set', 'duration=50ms'));
  await run(page);
  const paste = async (what) => {
    await page.locator('details.paste').evaluate((element) => (element.open = true));
    await page.locator('#paste').fill(what);
    await page.getByRole('button', { name: 'Become this machine' }).click();
    await page.locator('details.paste .notice').waitFor();
    return page.locator('details.paste .notice').textContent();
  };
  await paste(`${text}\n${sysctl}`);
  await at(page, 'finished');
  const hash = await fragment(page);
  assert.match(hash, /\.N0-/);
  assert.equal(await digest(page), (await native(hash)).digest);
  const cut = await paste(text.slice(0, text.length / 2));
  assert.match(cut, /line \d+|zone/i);
  assert.ok((await fragment(page)).length > 10);
});

test('a run that would take long asks first', async (t) => {
  const settings = ['--set', 'nodes=8', '--set', 'cpus=512', '--set', 'duration=3600s'];
  const page = await open(t, await link('lumpkin2018', ...settings));
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await page.locator('[data-phase]').waitFor();
  if (await page.locator('[data-phase=held]').isVisible()) await run.click();
  await page.getByRole('button', { name: 'Run it all the same' }).waitFor();
});

test('the whole page by keyboard: set, run, look back, read a table', async (t) => {
  const page = await open(t, await link('tiny', '--set', 'duration=100ms'));
  await run(page);
  await page.locator('#control-kswapds').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await at(page, 'finished');
  assert.match(await fragment(page), /\.k2\./);
  const time = page.getByLabel('Time shown');
  await time.focus();
  const clock = () => page.locator('.playback .clock').textContent();
  const end = await clock();
  await page.keyboard.press('Home');
  await page.waitForFunction((was) => document.querySelector('.playback .clock').textContent !== was, end);
  await page.getByRole('button', { name: 'Free memory as a table' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Free memory as a table' }).first().or(page.locator('.strip table').first()).waitFor();
});

for (const [name, options] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced colours', { forcedColors: 'active' }],
  ['reduced motion', { reducedMotion: 'reduce' }],
]) {
  test(`axe-core finds nothing: ${name}`, async (t) => {
    const page = await open(t, await link('lumpkin2018', '--set', 'readers=90', ...SHORT), options);
    await run(page);
    await assertAccessible(page);
    for (const details of await page.locator('details').all()) {
      await details.evaluate((element) => (element.open = true));
    }
    await assertAccessible(page);
  });
}

for (const width of [1440, 768, 320]) {
  test(`nothing scrolls sideways at ${width} px`, async (t) => {
    const settings = ['--set', 'nodes=8', '--set', 'kswapds=32', '--set', 'readers=400', ...SHORT];
    const page = await open(t, await link('lumpkin2018', ...settings), { width, height: 800 });
    await run(page);
    await assertFits(page);
    await picture(page, `eight-nodes-${width}`);
  });
}

test('the first paint says what the page is, without wasm', async (t) => {
  const page = await open(t, '', { javaScriptEnabled: false });
  const text = await page.locator('body').innerText();
  assert.match(text, /reclaim/i);
  assert.ok(text.length > 200, 'too little to read');
});
