// The harness sees what goes wrong: a check that cannot fail decides nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertAccessible, assertFits, cli, site, watchedPage } from './harness.mjs';

test('the built page is served with the types that browsers insist on', async () => {
  const answer = await fetch(site);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type'), /^text\/html/);
  const wasms = [...(await answer.text()).matchAll(/[\w./-]+\.wasm(?=['"])/g)].map(([path]) => path);
  assert.ok(wasms.length > 0, 'index.html names no wasm');
  for (const path of wasms) {
    const wasm = await fetch(new URL(path, site));
    assert.equal(wasm.headers.get('content-type'), 'application/wasm', path);
    await wasm.body.cancel();
  }
});

test('an uncaught error and an error on the console are noticed', async (t) => {
  const { page, problems } = await watchedPage(t);
  await page.setContent('<script>console.error("first"); throw new Error("second")</script>');
  assert.deepEqual(problems.toSorted(), ['console: first', 'uncaught: second']);
});

test('a request to another host is noticed and goes nowhere', async (t) => {
  const { page, problems } = await watchedPage(t);
  await page.setContent('<img alt="" src="http://elsewhere.invalid/a.png">');
  assert.ok(problems.includes('asked another host: http://elsewhere.invalid/a.png'), problems);
});

test('a missing file of the site is noticed', async (t) => {
  const { page, problems } = await watchedPage(t);
  await page.goto(`${site}no-such-file`);
  assert.ok(problems.includes(`404: ${site}no-such-file`), problems);
});

test('what axe-core finds fails', async (t) => {
  const { page } = await watchedPage(t);
  const whole = (body) => `<html lang="en"><title>t</title><main><h1>h</h1>${body}</main>`;
  await page.setContent(whole('<p>text'));
  await assertAccessible(page);
  await page.setContent(whole('<img src="data:,">'));
  await assert.rejects(assertAccessible(page), /image-alt/);
});

test('a page that scrolls sideways fails', async (t) => {
  const { page } = await watchedPage(t, { width: 320 });
  await page.setContent('<div style="width: 200px">fits</div>');
  await assertFits(page);
  await page.setContent('<div style="width: 400px">does not</div>');
  await assert.rejects(assertFits(page), /in a window of 320 px/);
});

test('the command line tool answers', async () => {
  assert.match(await cli('--help'), /reclaimscope/i);
});
