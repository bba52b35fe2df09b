// What every end-to-end test begins with: one Chromium a file, a new profile a page, and a page
// that fails its test when anything goes wrong on it that the test does not expect.
//
// `cargo xtask test browser` sets the environment (tests/README.md describes it).

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { promisify } from 'node:util';

import { chromium } from 'playwright-core';

// Nothing outside this machine is looked up, whatever the page or the browser itself asks for.
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

function setting(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set; run these tests through: cargo xtask test browser`);
  return value;
}

/** Where the built page is served; ends with a slash. */
export const site = setting('RECLAIMSCOPE_URL');

let browser;

async function start() {
  browser ??= chromium.launch({
    executablePath: setting('CHROMIUM'),
    chromiumSandbox: process.getuid?.() !== 0,
    args: FLAGS,
  });
  return browser;
}

after(async () => {
  if (browser) await (await browser).close();
});

/**
 * A new page in a profile of its own, and what went wrong on it so far, as sentences.
 *
 * Options: width, height, and any of playwright's context options (colorScheme, reducedMotion,
 * forcedColors, hasTouch ...). The service worker is kept out unless a test asks for it
 * (serviceWorkers: 'allow'): once it has claimed the page it answers requests that a test means to
 * fail, and whether it has by then depends on the machine.
 */
export async function watchedPage(t, { width = 1440, height = 900, ...options } = {}) {
  const context = await (await start()).newContext({
    viewport: { width, height },
    serviceWorkers: 'block',
    ...options,
  });
  t.after(() => context.close());
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('crash', () => problems.push('the page crashed'));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    const own = url.startsWith(site) || url.startsWith('data:') || url.startsWith('blob:');
    if (!own) problems.push(`asked another host: ${url}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  return { page, problems };
}

/**
 * Opens the site at a fragment ('' or '#v1...'), and fails the test at its end if anything went
 * wrong on the page meanwhile.
 */
export async function open(t, fragment = '', options = {}) {
  const { page, problems } = await watchedPage(t, options);
  // Hooks run in the order they were added: by now the context is closed and all is reported.
  t.after(() => assert.deepEqual(problems, [], 'what went wrong on the page'));
  await page.goto(site + fragment);
  return page;
}

const axe = createRequire(import.meta.url).resolve('axe-core');

/** Fails with everything that axe-core finds on the page as it is now. */
export async function assertAccessible(page) {
  await page.evaluate(await readFile(axe, 'utf8'));
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}`),
    );
  });
  assert.deepEqual(found, [], 'what axe-core finds');
}

/** Fails when the page is wider than its window, so that it scrolls sideways. */
export async function assertFits(page) {
  const { content, shown } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    shown: document.documentElement.clientWidth,
  }));
  assert.ok(content <= shown, `the page is ${content} px wide in a window of ${shown} px`);
}

/** Saves a picture for people to look at, when RECLAIMSCOPE_PICTURES names a folder. */
export async function picture(page, name) {
  const folder = process.env.RECLAIMSCOPE_PICTURES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** What the command line tool prints, which the page must agree with. */
export async function cli(...words) {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(setting('RECLAIMSCOPE_CLI'), words, options);
  return stdout;
}
