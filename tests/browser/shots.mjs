// Pictures of the page for people to look at: widths, themes, the states that matter.
//
//   cargo xtask serve                                   prints the address
//   RECLAIMSCOPE_URL=http://127.0.0.1:8080/ RECLAIMSCOPE_PICTURES=/tmp/pictures \
//     CHROMIUM=/usr/bin/chromium node tests/browser/shots.mjs [name ...]
//
// Without names all pictures are taken.

import { mkdir } from 'node:fs/promises';

import { chromium } from 'playwright-core';

const site = process.env.RECLAIMSCOPE_URL;
const folder = process.env.RECLAIMSCOPE_PICTURES ?? 'target/pictures';

const finished = (page) =>
  page.locator('[data-phase=finished], [data-phase=rejected], [data-phase=failed]').waitFor({
    timeout: 120_000,
  });

// A window that ends within seconds, and a change of each kind on it.
const quick = { warmup: '100ms', duration: '400ms' };

async function set(page, key, value) {
  const entry = page.locator(`#control-${key}`);
  await entry.evaluate((element) => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  });
  await entry.fill(value);
  await entry.press('Enter');
}

async function shorten(page, more = {}) {
  const closed = page.getByRole('button', { name: 'Open the controls' });
  const wasClosed = await closed.isVisible();
  if (wasClosed) await closed.click();
  for (const [key, value] of Object.entries({ ...quick, ...more })) await set(page, key, value);
  for (const details of await page.locator('details.more[open]').all()) {
    await details.evaluate((element) => (element.open = false));
  }
  if (wasClosed) await page.getByRole('button', { name: 'Close the controls' }).click();
  await finished(page);
}

const dark = { colorScheme: 'dark' };
const shots = {
  'first-1440': { width: 1440, steps: async () => {} },
  'lumpkin-1440-light': { width: 1440, steps: (page) => shorten(page, { readers: '58', kswapds: '4' }) },
  'lumpkin-1440-dark': { width: 1440, ...dark, steps: (page) => shorten(page, { readers: '58', kswapds: '4' }) },
  'direct-1440-light': { width: 1440, steps: (page) => shorten(page, { readers: '90' }) },
  'lumpkin-1200-light': { width: 1200, steps: (page) => shorten(page, { readers: '58', kswapds: '4' }) },
  'lumpkin-768-light': { width: 768, height: 1024, steps: (page) => shorten(page, { readers: '58', kswapds: '4' }) },
  'lumpkin-768-dark': { width: 768, height: 1024, ...dark, steps: (page) => shorten(page, { readers: '58', kswapds: '4' }) },
  'lumpkin-390-light': { width: 390, height: 844, steps: (page) => shorten(page, { readers: '58', kswapds: '4' }) },
  'lumpkin-320-light': { width: 320, height: 640, steps: (page) => shorten(page, { readers: '58', kswapds: '4' }) },
  'lumpkin-320-dark': { width: 320, height: 640, ...dark, steps: (page) => shorten(page, { readers: '58', kswapds: '4' }) },
  'nodes-8-1440-light': { width: 1440, steps: (page) => shorten(page, { nodes: '8', readers: '400', kswapds: '16', cpus: '26' }) },
  'partitions-1440-light': { width: 1440, steps: (page) => shorten(page, { readers: '90', kswapds: '32', lru_partitions: '32' }) },
  'tiny-1440-light': { width: 1440, fragment: '#v1.tiny', steps: finished },
  'forced-1440': { width: 1440, forcedColors: 'active', steps: (page) => shorten(page, { readers: '90' }) },
  'damaged-1440-light': { width: 1440, fragment: '#v1.l18.k77.r58.x', steps: (page) => shorten(page) },
  'running-1440-light': {
    width: 1440,
    steps: async (page) => {
      await shorten(page, { readers: '58' });
      await set(page, 'duration', '20s');
      await set(page, 'kswapds', '4');
      await page.waitForTimeout(2_000);
    },
  },
  'long-1440-light': {
    width: 1440,
    steps: async (page) => {
      await shorten(page);
      await set(page, 'duration', '3600s');
      await page.getByRole('button', { name: 'Run it all the same' }).waitFor();
    },
  },
  'more-1440-light': {
    width: 1440,
    steps: async (page) => {
      await shorten(page, { readers: '34' });
      await page.locator('#control-kswapds').fill('99');
      await page.locator('#control-kswapds').press('Enter');
      for (const summary of await page.locator('.results details > summary, .more > summary').all()) await summary.click();
      await page.getByRole('button', { name: 'Free memory as a table' }).click();
      await page.getByRole('button', { name: 'About LRU partitions' }).click();
    },
  },
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync'],
});
await mkdir(folder, { recursive: true });
const names = process.argv.slice(2);
for (const [name, shot] of Object.entries(shots)) {
  if (names.length > 0 && !names.some((wanted) => name.startsWith(wanted))) continue;
  const { width, height = 1000, steps, fragment = '', ...options } = shot;
  const context = await browser.newContext({ viewport: { width, height }, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.log(`${name}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') console.log(`${name}: ${message.text()}`);
  });
  await page.goto(site + fragment);
  await page.locator('[data-phase=held], [data-phase=running], [data-phase=finished]').waitFor();
  await page.waitForTimeout(300);
  await steps(page);
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  console.log(`${folder}/${name}.png`);
  await context.close();
}
await browser.close();
