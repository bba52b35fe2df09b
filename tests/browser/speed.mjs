// How soon a comparison of 20 replications in the page shows its first interval, and all of them; how much longer all
// take than 40 times one run over the workers; and how soon a sweep shows its first point.
//
//   RECLAIMSCOPE_URL=http://127.0.0.1:8080/ RECLAIMSCOPE_CLI=target/release/reclaimscope \
//     CHROMIUM=/usr/bin/chromium node tests/browser/speed.mjs [--report]
//
// Fails when a line is over its limit; with --report it only says so. One run is what each further replication of both
// arms takes a page with a single worker, halved: loading and what is drawn at the end are no part of it. Where an arm
// has one warm-up, both warm-ups are work too: what that page needs until its first interval beyond the runs in it.

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

/** Replications of an arm, and of how many whole time may be more than runs over workers. */
const REPS = 20;
const RATIO = 1.25;
/** Until the first point of a sweep stands in its table, ms. */
const POINT = 1_000;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, chromiumSandbox: process.getuid?.() !== 0 });
const say = (ms) => `${Math.round(ms)} ms`;
let late = false;
/** A line, and whether it is over a limit. */
const tell = (text, ...limits) => {
  const over = limits.filter(([is, limit]) => is > limit);
  late ||= over.length > 0;
  console.log(`${over.length ? 'LATE ' : ''}${text}`);
};

/** A page on a link, with as many workers as it thinks that there are cores. */
async function open(link, cores) {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  if (cores) {
    await page.addInitScript((n) => Object.defineProperty(navigator, 'hardwareConcurrency', { value: n }), cores);
  }
  await page.goto(`${site}#${link}`);
  return page;
}

/** Runs a comparison: when each number of replications was there, when all was, and how long frames took. */
async function compare(words, warm, cores) {
  const page = await open(cli('link', ...words), cores);
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
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
    const there = [];
    while (!document.querySelector('.run[data-phase=done]')) {
      const n = Number(document.querySelector('.results-of[data-n]')?.dataset.n ?? 0);
      if (n > (there.at(-1)?.n ?? 0)) there.push({ n, ms: performance.now() - begin });
      await new Promise((next) => setTimeout(next, 5));
    }
    const all = performance.now() - begin;
    goes = false;
    frames.sort((a, b) => a - b);
    return { there, all, frame: frames[Math.floor(frames.length * 0.99)] };
  });
  await page.context().close();
  return took;
}

for (const { name, words, warm, first, all } of cases) {
  const two = await compare(words, warm, 2);
  const begins = two.there[0]?.ms ?? two.all;
  tell(
    `${name}: first interval ${say(begins)} (limit ${say(first)}), all ${say(two.all)} (limit ${say(all)}), ` +
      `frame p99 ${say(two.frame)}`,
    [begins, first],
    [two.all, all],
  );
  const one = await compare(words, warm, 1);
  const [from, to] = [one.there[0], one.there.at(-1)];
  const run = (to.ms - from.ms) / (2 * (to.n - from.n));
  const warmups = warm === 'of its own' ? 0 : Math.max(0, from.ms - 2 * from.n * run);
  const ratio = two.all / ((2 * REPS * run + warmups) / 2);
  const work = warmups ? `40 x one run and ${say(warmups)} of warm-up` : '40 x one run';
  tell(`${name}: one run ${say(run)}, all over (${work}, / 2 workers) ${ratio.toFixed(2)} (limit ${RATIO})`, [ratio, RATIO]);
}

const page = await open(cli('link', 'small'));
await page.getByRole('button', { name: 'Sweep', exact: true }).click();
await page.waitForTimeout(3_000);
const point = await page.evaluate(async () => {
  const begin = performance.now();
  [...document.querySelectorAll('button')].find((b) => b.textContent.trim() === 'Run').click();
  while (!document.querySelector('.results-of tbody tr')) await new Promise((next) => setTimeout(next, 5));
  return performance.now() - begin;
});
tell(`sweep of small: first point ${say(point)} (limit ${say(POINT)})`, [point, POINT]);
await browser.close();
if (late && !process.argv.includes('--report')) process.exit(1);
