// How soon a comparison of 20 replications in the page shows its first interval, and all of them.
//
//   RECLAIMSCOPE_URL=http://127.0.0.1:8080/ RECLAIMSCOPE_CLI=target/release/reclaimscope \
//     CHROMIUM=/usr/bin/chromium node tests/browser/speed.mjs [--report]
//
// Fails when a line is over its limit; with --report it only says so.

import { execFileSync } from 'node:child_process';

import { chromium } from 'playwright-core';

const site = process.env.RECLAIMSCOPE_URL;
const cli = (...words) => execFileSync(process.env.RECLAIMSCOPE_CLI, words, { encoding: 'utf8' }).trim();
const B = ['--arm', 'A:', '--arm', 'B:kswapds=4'];

/** Limits in milliseconds. */
const cases = [
  { name: 'small', words: ['small', ...B], warm: 'of its own', first: 300, all: 3_000 },
  {
    name: 'lumpkin2018, 28 readers, windows of 2 s, one warm-up an arm',
    words: ['lumpkin2018', ...B, '--set', 'duration=2s'],
    warm: 'one an arm',
    first: 3_000,
    all: 20_000,
  },
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, chromiumSandbox: process.getuid?.() !== 0 });
let late = false;
for (const { name, words, warm, first, all } of cases) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${site}#${cli('link', ...words)}`);
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.waitFor();
  await page.getByLabel('Warm-up').selectOption(warm);
  // The workers have been loaded, as they are by the time somebody has looked at the arms.
  await page.waitForTimeout(3_000);
  const took = await page.evaluate(async () => {
    const frames = [];
    let last = performance.now();
    let goes = true;
    const frame = (now) => {
      frames.push(now - last);
      last = now;
      if (goes) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const begin = performance.now();
    [...document.querySelectorAll('button')].find((b) => b.textContent.trim() === 'Run').click();
    const until = async (selector) => {
      while (!document.querySelector(selector)) await new Promise((next) => setTimeout(next, 5));
      return performance.now() - begin;
    };
    const first = await until('.results-of[data-n]');
    const all = await until('.run[data-phase=done]');
    goes = false;
    frames.sort((a, b) => a - b);
    return { first, all, frame: frames[Math.floor(frames.length * 0.99)] };
  });
  const say = (ms) => `${Math.round(ms)} ms`;
  console.log(
    `${name}: first interval ${say(took.first)} (limit ${say(first)}), all ${say(took.all)} (limit ${say(all)}), ` +
      `frame p99 ${say(took.frame)}`,
  );
  late ||= took.first > first || took.all > all;
  await page.close();
}
await browser.close();
if (late && !process.argv.includes('--report')) process.exit(1);
