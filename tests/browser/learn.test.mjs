// Learn and Trust: every story from its first step to its last, its results covered until the question
// is answered, right and wrong; teachers' links; the ledger, whose changes are in the link.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { assertAccessible, assertFits, cli, open, picture } from './harness.mjs';

const stories = new URL('../../docs/stories/', import.meta.url);
const index = await readFile(new URL('index.md', stories), 'utf8');
const all = [...index.matchAll(/^- \[(.+)\]\((\w+)\.md\): /gm)].map(([, title, name]) => ({ title, name }));
assert.ok(all.length >= 14);

/** The steps of a story, read from its file: title and answers. */
async function steps(name) {
  const text = await readFile(new URL(`${name}.md`, stories), 'utf8');
  return text
    .split(/^## /m)
    .slice(1)
    .map((step) => ({
      title: step.split('\n')[0],
      // What stands between quotes belongs together.
      run: /^Run: (.+)$/m.exec(step)[1].match(/(?:[^ "]|"[^"]*")+/g).map((word) => word.replaceAll('"', '')),
      answers: [...step.matchAll(/^- (yes|no): /gm)].map(([, word]) => word === 'yes'),
    }));
}

const settled = (page) =>
  page.locator('[data-phase=finished]').waitFor({ timeout: 120_000 });
const toStory = async (page, title) => {
  await page.getByRole('button', { name: 'Learn', exact: true }).click();
  await page.getByRole('link', { name: title, exact: true }).click();
};

for (const { name, title } of all) {
  test(`the story ${name} runs from its first step to its last`, async (t) => {
    const page = await open(t);
    await toStory(page, title);
    const list = await steps(name);
    for (const [i, step] of list.entries()) {
      const heading = page.locator('.story h2', { hasText: step.title.replaceAll('`', '') });
      await heading.waitFor({ timeout: 30_000 });
      await settled(page);
      // Its own scenario, and the digest of the same link in the terminal.
      const link = (await cli('link', step.run[0], ...step.run.slice(1).flatMap((s) => ['--set', s]))).trim();
      const science = link.split('.').slice(0, -1).join('.');
      await page.waitForFunction((s) => location.hash.startsWith(`#${s}.`), science);
      assert.match(page.url(), new RegExp(`_v-learn-${name}-${i + 1}\\.`));
      if (i === 0) {
        const { digest } = JSON.parse(await cli('run', link, '--json'));
        await page.waitForFunction((d) => document.querySelector('#digest')?.textContent === d, digest);
      }
      // Machine and timelines are there; no reveal and no result before an answer.
      assert.equal(await page.locator('.timelines').isVisible(), true);
      assert.equal(await page.locator('.because, .claims, .results .verdict, .results table').count(), 0);
      await page.locator('.results .cover', { hasText: "Answer the story's question first" }).waitFor();
      // A wrong answer is told, and so is the right one.
      const answers = page.locator('.answer');
      assert.equal(await answers.count(), step.answers.length);
      await answers.nth(step.answers.indexOf(false)).click();
      await page.locator('.because', { hasText: 'Not that:' }).waitFor();
      await page.locator('.results .verdict').waitFor();
      assert.equal(await page.locator('.results .cover').count(), 0);
      await page.locator('.answer.right').waitFor();
      await answers.nth(step.answers.indexOf(true)).click();
      await page.locator('.because', { hasText: 'Right:' }).waitFor();
      // What it claims is told in words with both sides, and holds.
      await page.locator('.claims li').first().waitFor();
      const told = await page.locator('.claims li').allTextContents();
      assert.ok(told.every((one) => /: .+, (less|more|equal) (than|to) .+\. This holds\.$/.test(one)), `${told}`);
      assert.ok(!/does not hold/.test(await page.locator('.story').textContent()));
      if (i === 0) await assertAccessible(page);
      if (i + 1 < list.length) await page.getByRole('link', { name: /^Next: / }).click();
    }
    await page.locator('.story h3', { hasText: 'Where it stands in the kernel' }).waitFor();
  });
}

test('what a question covers is shown without an answer, covered again, and remembered', async (t) => {
  const page = await open(t);
  await toStory(page, 'kswapd and direct reclaim');
  await settled(page);
  const skip = page.getByRole('button', { name: 'Show the answer and the results' });
  await skip.focus();
  await page.keyboard.press('Enter');
  await page.locator('.because', { hasText: 'The answer:' }).waitFor();
  await page.locator('.results .verdict').waitFor();
  await assertAccessible(page);
  // The focus stays where it was: the same button covers it again.
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  assert.equal(await focused(), 'Cover it again');
  await page.keyboard.press('Enter');
  await page.locator('.because').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.results .verdict').count(), 0);
  await page.getByRole('button', { name: 'Show them without an answer' }).click();
  await page.locator('.because', { hasText: 'The answer:' }).waitFor();
  // An answer is one all the same, and is there when the step is come back to.
  await page.locator('.answer').first().click();
  await page.getByRole('button', { name: 'Cover it again' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^Next: / }).click();
  await page.locator('.results .cover').waitFor();
  await page.getByRole('link', { name: /^Back: / }).click();
  await page.locator('.because').waitFor();
  assert.equal(await page.locator('.results .cover').count(), 0);
  // Elsewhere nothing is covered.
  await page.getByRole('button', { name: 'Explore', exact: true }).click();
  await page.locator('.results .verdict').waitFor();
});

test('a step is used by keyboard, its control is tried, and the step comes back', async (t) => {
  const page = await open(t);
  await toStory(page, 'A machine of 250 pages, by hand');
  await settled(page);
  await page.locator('.answer').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.because').waitFor();
  const entry = page.locator('#trycontrol-watermark_scale_factor');
  await entry.fill('1000');
  await entry.press('Enter');
  await page.waitForFunction(() => location.hash.includes('.w1000.'));
  assert.match(page.url(), /_v-learn-tiny-1\./, 'it stays in the step');
  await page.getByRole('link', { name: 'Back to the step as it was' }).click();
  await page.waitForFunction(() => !location.hash.includes('.w1000.'));
  await picture(page, 'learn-step');
});

test("a teacher's link hides results until an answer, and locks or hides controls", async (t) => {
  const page = await open(t);
  await toStory(page, 'kswapd and direct reclaim');
  await settled(page);
  await page.getByText('For a class').click();
  // Each toggle is a link from where the page is: the next one is there once the page is.
  for (const [words, detail] of [[/hide timelines and results/, 'kswd-1h'], [/lock the controls/, 'kswd-1hl']]) {
    await page.getByRole('link', { name: words }).click();
    await page.waitForFunction((d) => location.hash.includes(`_v-learn-${d}.`), detail);
    await page.locator('.teacher a', { hasText: words }).filter({ hasText: '\u2611' }).waitFor();
  }
  const fresh = await open(t, `#${page.url().split('#')[1]}`);
  await fresh.locator('.story h2', { hasText: 'In the background' }).waitFor();
  await fresh.locator('.results .cover', { hasText: 'once you have answered' }).waitFor();
  assert.equal(await fresh.locator('.results .verdict, .cover button, .skip').count(), 0);
  assert.equal(await fresh.locator('.timelines').isVisible(), false);
  assert.equal(await fresh.locator('.contents[inert]').count(), 1);
  await fresh.locator('.answer').first().click();
  await fresh.locator('.results .verdict').waitFor({ state: 'visible' });
  await fresh.locator('.timelines').waitFor({ state: 'visible' });
  await fresh.getByText('For a class').click();
  await fresh.getByRole('link', { name: /hide the controls/ }).click();
  await fresh.locator('.controls').waitFor({ state: 'hidden' });
});

for (const width of [320, 768]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`Learn and Trust at ${width} px, ${colorScheme}`, async (t) => {
      const page = await open(t, '', { width, height: 900, colorScheme });
      await page.getByRole('button', { name: 'Learn', exact: true }).click();
      await page.getByRole('link', { name: all[0].title, exact: true }).waitFor();
      await assertFits(page);
      await assertAccessible(page);
      await page.getByRole('link', { name: 'Generations', exact: true }).click();
      await settled(page);
      await assertFits(page);
      await page.getByRole('button', { name: 'Trust', exact: true }).click();
      await page.locator('.constant').first().waitFor();
      await assertFits(page);
      await assertAccessible(page);
      await picture(page, `trust-${width}-${colorScheme}`);
      await page.getByRole('button', { name: 'Not modelled', exact: true }).click();
      await page.locator('.left-out li').first().waitFor();
      await assertFits(page);
    });
  }
}

test('a constant is found, changed within its range, and part of the link', async (t) => {
  const page = await open(t, '#v1.small.ENJ');
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await page.getByLabel('Find a constant').fill('isolateperpage');
  const row = page.locator('.constant');
  await page.waitForFunction(() => document.querySelectorAll('.constant').length === 1);
  assert.match(await row.textContent(), /GUESS.*40 to 150/s);
  const entry = row.locator('input');
  await entry.fill('4000');
  await entry.press('Enter');
  await row.locator('.error', { hasText: 'It must be 40 to 150 ns/page, not 4000.' }).waitFor();
  await entry.fill('150');
  await entry.press('Enter');
  await page.waitForFunction(() => location.hash.includes('.c-IsolatePerPage-150.'));
  await page.locator('.chip', { hasText: 'IsolatePerPage=150' }).waitFor();
  // The run has it: the digest is that of the same change in the terminal.
  await page.getByRole('button', { name: 'Explore', exact: true }).click();
  await settled(page);
  const { digest } = JSON.parse(await cli('run', 'small', '--set', 'IsolatePerPage=150', '--json'));
  await page.waitForFunction((d) => document.querySelector('#digest')?.textContent === d, digest);
  await page.getByRole('button', { name: /^Remove IsolatePerPage/ }).click();
  await page.waitForFunction(() => !location.hash.includes('.c-'));
});
