// How long it takes to reach any instant of a run, and what its checkpoints hold.
//
// Run by `cargo xtask soak`, or by hand with RECLAIMSCOPE_URL and CHROMIUM set. It runs 10 s of
// lumpkin2018 in the page's worker, asks for 200 random instants, and prints median, 95th percentile
// and worst of the time from question to answer. It fails when the 95th percentile is over 50 ms, or
// the checkpoints hold more than 64 MB.

import { chromium } from 'playwright-core';

const SEEKS = 200;
const P95_MAX_MS = 50;
const BYTES_MAX = 64 << 20;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync'],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
// What passes between page and worker, so that a request can be made again and again.
await page.addInitScript(() => {
  const Real = globalThis.Worker;
  globalThis.Worker = class extends Real {
    constructor(...all) {
      super(...all);
      globalThis.simulator = this;
    }
  };
});
await page.goto(process.env.RECLAIMSCOPE_URL);
await page.locator('[data-phase=held]').waitFor();
for (const [key, value] of [['readers', '90'], ['duration', '10s']]) {
  await page.locator(`#control-${key}`).fill(value);
  await page.locator(`#control-${key}`).press('Enter');
}
const force = page.getByRole('button', { name: 'Run it all the same' });
await page.locator('[data-phase=running]').or(force).first().waitFor();
if (await force.isVisible()) await force.click();
await page.locator('[data-phase=finished]').waitFor({ timeout: 300_000 });

const { took, checkpoints, bytes } = await page.evaluate(async (seeks) => {
  const run = Number(document.querySelector('[data-run]').dataset.run);
  const end = 10e9;
  const { simulator } = globalThis;
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const ask = (place) =>
    new Promise((answer) => {
      const begin = performance.now();
      simulator.addEventListener('message', function heard({ data }) {
        if (data.type !== 'seen' || data.place !== place) return;
        simulator.removeEventListener('message', heard);
        answer({ ms: performance.now() - begin, data });
      });
      simulator.postMessage({ type: 'seek', run, place });
    });
  const took = [];
  let last;
  for (let n = 0; n < seeks; n += 1) {
    const { ms, data } = await ask(`t${Math.floor(random() * end)}`);
    took.push(ms);
    last = data;
  }
  return { took, checkpoints: last.checkpoints, bytes: last.bytes };
}, SEEKS);
await browser.close();

took.sort((a, b) => a - b);
const quantile = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))];
const ms = (value) => `${value.toFixed(1)} ms`;
console.log(
  `${SEEKS} seeks in 10 s of lumpkin2018: median ${ms(quantile(0.5))}, p95 ${ms(quantile(0.95))}, ` +
    `worst ${ms(took.at(-1))}; ${checkpoints} checkpoints of ${(bytes / 2 ** 20).toFixed(1)} MB`,
);
const problems = [];
if (quantile(0.95) > P95_MAX_MS) problems.push(`p95 is over ${P95_MAX_MS} ms`);
if (!(bytes > 0 && bytes <= BYTES_MAX)) problems.push(`checkpoints hold over ${BYTES_MAX} bytes`);
for (const problem of problems) console.log(`FAILED: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
