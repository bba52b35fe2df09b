// The page where it is not at home: under its content security policy, without a network, inside
// another page, from a disk.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { cli, open, site, watchedPage } from './harness.mjs';

const link = async (...words) => (await cli('link', ...words)).trim();
const native = async (scenario) => JSON.parse(await cli('run', scenario, '--json')).digest;
const digest = async (page) => {
  await page.locator('#digest').waitFor({ timeout: 60_000 });
  return page.locator('#digest').textContent();
};
const SHORT = ['tiny', '--set', 'duration=200ms'];

test('nothing on the page breaks its policy, which allows no inline script', async (t) => {
  const html = await (await fetch(site)).text();
  assert.match(html, /script-src 'self' 'wasm-unsafe-eval';/);
  for (const [, tag, text] of html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
    assert.ok(tag.includes(' src=') && text.trim() === '', `an inline script: ${tag} ${text}`);
  }
  const { page, problems } = await watchedPage(t);
  await page.addInitScript(() => {
    globalThis.violations = [];
    addEventListener('securitypolicyviolation', (event) => {
      globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  const scenario = await link(...SHORT, '--arm', 'A:', '--arm', 'B:kswapds=4');
  await page.goto(`${site}#${scenario}`);
  await page.getByLabel('Replications').selectOption('3');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.run[data-phase=done]').waitFor({ timeout: 60_000 });
  assert.deepEqual(await page.evaluate(() => globalThis.violations), []);
  assert.deepEqual(problems, []);
});

test('after the first visit it opens without a network', async (t) => {
  const scenario = await link(...SHORT);
  const page = await open(t, `#${scenario}`, { serviceWorkers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await page.reload();
  assert.equal(await digest(page), await native(scenario));
  // What is fetched only when it is wanted is there too.
  await page.getByRole('button', { name: 'Learn', exact: true }).click();
  await page.getByRole('link', { name: 'kswapd and direct reclaim', exact: true }).click();
  await page.locator('.story .answer').first().waitFor();
});

test('inside another page it runs and leaves its address alone', async (t) => {
  const scenario = await link(...SHORT);
  const { page } = await watchedPage(t);
  await page.goto(`${site}worker.js`);
  await page.setContent(`<iframe src="${site}?embed#${scenario}" width="900" height="700"></iframe>`);
  const inner = page.frameLocator('iframe');
  await inner.locator('#digest').waitFor({ timeout: 60_000 });
  assert.equal(await inner.locator('#digest').textContent(), await native(scenario));
  await inner.getByRole('button', { name: 'Compare', exact: true }).click();
  await inner.getByRole('button', { name: 'Add arm B' }).click();
  const frame = page.frames().find((one) => one.url().includes('?embed'));
  assert.equal(frame.url(), `${site}?embed#${scenario}`);
  const whole = await inner.getByRole('link', { name: 'Open the whole page' }).getAttribute('href');
  assert.ok(whole.startsWith(`${site}#v1.tiny.`) && whole.includes('.B.k8.'), whole);
});

test('as one file it opens from a disk and gives the same digest', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'reclaimscope-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'reclaimscope.html');
  await writeFile(path, await (await fetch(`${site}reclaimscope.html`)).text());
  const scenario = await link(...SHORT);
  const { page } = await watchedPage(t);
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${pathToFileURL(path)}#${scenario}`);
  assert.equal(await digest(page), await native(scenario));
  const foreign = asked.filter((url) => !/^(file|data|blob):/.test(url));
  assert.deepEqual(foreign, [], 'it loads nothing');
});

// A link of a model that is not this one, as that one would have written it.
const FOREIGN = 'v1.tiny.M7.k4.OGL';

/** The page as `dist --with` leaves it beside earlier versions; each says with what it was opened. */
async function withVersions(page, models) {
  await page.route(site, async (route) => {
    const answer = await route.fetch();
    const html = (await answer.text()).replace('</head>', `<meta name="models" content="${models}"></head>`);
    await route.fulfill({ response: answer, body: html });
  });
  await page.route(/\/v\/[0-9.]+\/$/, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>an earlier version</title>' }),
  );
}

test('a link of another model is offered in the version that it was made with, where that is here', async (t) => {
  const { page, problems } = await watchedPage(t);
  await withVersions(page, '3=0.3.0 7=0.7.1');
  await page.goto(`${site}#${FOREIGN}`);
  await page.getByText('made with model 7').waitFor();
  await page.getByRole('link', { name: 'Open it in the version it was made with (model 0.7.1)' }).click();
  await page.waitForURL(`${site}v/0.7.1/#${FOREIGN}`);
  assert.deepEqual(problems, []);
});

test('where that version is not on this host, the page says so and shows the scenario', async (t) => {
  const page = await open(t, `#${FOREIGN}`);
  await page.getByText("The version of the page with model 7 isn't on this host").waitFor();
  assert.equal(await page.locator('#control-kswapds').inputValue(), '4');
  assert.equal(await page.locator('.pinned a').count(), 0);
});

test('a mail of another model is offered in its version, and a mail of this model is not', async (t) => {
  const { page, problems } = await watchedPage(t);
  await withVersions(page, '7=0.7.1');
  const arms = await link(...SHORT, '--arm', 'A:', '--arm', 'B:kswapds=4');
  const mail = await cli('mail', arms, '--reps', '2');
  await page.goto(site);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByText('Open a mail').click();
  const paste = async (text) => {
    await page.locator('#mail-back').fill(text);
    await page.getByRole('button', { name: 'Open its comparison' }).click();
  };
  await paste(mail.replace(/model [0-9.]+[0-9]/, 'model 0.7.1').replaceAll(/^/gm, '> '));
  const offer = page.locator('.pinned a');
  await offer.waitFor();
  assert.equal(await offer.getAttribute('href'), `v/0.7.1/#${arms}`);
  await paste(mail.replace(/model [0-9.]+[0-9]/, 'model 0.6.0'));
  await page.getByText("The version of the page with model 0.6.0 isn't on this host").waitFor();
  await paste(mail);
  await page.locator('.pinned').waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
});
