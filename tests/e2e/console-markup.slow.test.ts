import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { MediaAnalysis } from '../../adapters/client/index.js';
import { type Tab, useConsole } from '../support/browser/console.js';
import { markup } from '../support/browser/markup.js';
import { shortOrLong } from '../support/long-form.js';

/** A video whose title, names, captions and words are markup, with a question that nobody has answered. */
const videoOf = async (client: MediaAnalysis, titled: string) => {
  const { video_id } = await client.videos.create({ title: titled });
  const { audio_id } = await client.audios.create({ video_id });
  const times = markup.map((text, at) => ({ text, start: at * 10, end: at * 10 + 9 }));
  await client.videos.recordAnalysis(video_id, {
    status: 'completed',
    faces: times.map(({ text, start, end }, id) => ({
      id,
      name: text,
      tracks: [{ start, end }],
      captions: [{ start, end, text }],
    })),
  });
  await client.audios.recordAnalysis(audio_id, {
    status: 'completed',
    speakers: times.map(({ text }, speaker_id) => ({ speaker_id, name: text })),
    segments: times.map(({ start, end }, speaker_id) => ({ speaker_id, start, end })),
    transcript: times.map(({ text, start, end }, speaker_id) => ({ speaker_id, start, end, text })),
  });
  await client.runs.wait(await client.matches.suggest(video_id));
  return { video_id, audio_id };
};

/** The number of texts that the page shows unchanged in one of the elements. */
const shownOf = async (page: Page, elements: string): Promise<number> => {
  const texts: unknown = await page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(elements)})].map((one) => one.textContent)`,
  );
  if (!Array.isArray(texts)) return 0;
  return markup.filter((text) => texts.some((shown) => String(shown).replaceAll('\\"', '"').includes(text))).length;
};

describe('texts full of markup in the console', function () {
  this.timeout(120_000);
  let ids: Awaited<ReturnType<typeof videoOf>>;
  let tab: Tab;
  const suite = useConsole({ match_worker: 'embedded' }, async () => {
    const client = suite.client;
    const { account_id } = await client.me.get();
    for (const title of markup) await client.videos.create({ title });
    ids = await videoOf(client, markup[1] ?? '');
    for (const reason of markup) await client.credits.grant(account_id, { amount: 1, reason });
    for (const label of markup.slice(0, 90)) await client.me.createKey({ label });
    for (const label of markup.slice(90)) await client.keys.create(account_id, { label });
    await client.faces.rename(
      ids.video_id,
      markup.map((name, face_id) => ({ face_id, name: `${name}.` })),
    );
  });
  beforeEach(async () => {
    tab = await suite.signedIn();
  });
  afterEach(async () => {
    const { page, complaints } = tab;
    const ran: unknown = await page.evaluate('String(window.hit)');
    const made: unknown = await page.evaluate(
      "[...document.querySelectorAll('iframe, img, body script, body style, base, [onerror], [onload], [href^=javascript]')].map((one) => one.outerHTML)",
    );
    await tab.close();
    expect(ran).to.equal('undefined');
    expect(made).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('are shown as they are: 100 titles in the list of videos', async () => {
    await tab.page.getByRole('button', { name: 'Show more' }).click();
    await tab.page.getByRole('row').nth(100).waitFor();
    await tab.page.getByRole('button', { name: 'Show more' }).click();
    await tab.page.getByRole('row').nth(101).waitFor();
    expect(await shownOf(tab.page, 'th a')).to.equal(100);
  });

  it('are shown as they are: the title, 100 names and 100 sentences of a video, and its history', async () => {
    const { page } = tab;
    await tab.open(`videos/${ids.video_id}`);
    await page.getByRole('heading', { name: markup[1] ?? '', level: 1 }).waitFor();
    await page.getByRole('group', { name: /^Timeline/ }).waitFor();
    await page.getByText('Faces renamed').waitFor();
    expect(await shownOf(page, '.card h3 button')).to.equal(100);
    await page.locator('.card select').first().focus();
    await page.locator('.card option').nth(100).waitFor({ state: 'attached' });
    expect(await shownOf(page, '.card option')).to.equal(100);
    expect(await shownOf(page, 'table th')).to.equal(100);
    const heads = page.locator('.head');
    expect(await heads.first().textContent()).to.equal(`${markup[0]}.`);
    const seen = new Set<number>();
    for (let left = 20; left > 0 && seen.size < 100; left -= 1) {
      const lines = await page.locator('.transcript li').allTextContents();
      for (const [at, text] of markup.entries()) if (lines.some((line) => line.includes(text))) seen.add(at);
      await page.locator('.transcript li').last().getByRole('button').click();
      await page.waitForTimeout(200);
    }
    expect(seen.size).to.equal(100);
    expect(await shownOf(page, '.history li')).to.be.greaterThan(3);
  });

  it('are shown as they are in questions', async () => {
    const { page } = tab;
    await tab.open('review');
    for (let asked = 0; asked < shortOrLong(20, 100); asked += 1) {
      await page.locator('.question[aria-busy=false]').waitFor();
      const heading = (await page.locator('.question h2').textContent()) ?? '';
      expect(
        markup.some((text) => heading.includes(text)),
        heading,
      ).to.equal(true);
      expect(await shownOf(page, '.question blockquote')).to.be.greaterThan(0);
      await page.keyboard.press('s');
      await page.waitForFunction(
        `document.querySelector('.question h2')?.textContent !== ${JSON.stringify(heading)} || document.querySelector('.question') === null`,
      );
      if ((await page.locator('.question').count()) === 0) break;
    }
  });

  it('are shown as they are: 100 reasons and 100 labels on the account', async () => {
    const { page } = tab;
    await tab.open('account');
    await page
      .getByText(markup[99] ?? '', { exact: true })
      .first()
      .waitFor();
    for (let length = 25; length < 100; length += 25) {
      await page.getByRole('button', { name: 'Show more' }).click();
      await page
        .locator('section:has(h2:text-is("Ledger")) tbody tr')
        .nth(length + 24)
        .waitFor();
    }
    expect(await shownOf(page, 'section:has(h2) td:last-child')).to.equal(100);
    await page
      .getByRole('button', { name: /^Revoke/ })
      .nth(99)
      .waitFor();
    expect(await shownOf(page, 'section:last-child td:first-child')).to.equal(100);
  });

  it('are shown as they are in events and in what explains them', async () => {
    const { page } = tab;
    await tab.open('audit');
    await page.getByLabel('Type').fill('VideoRegistered');
    await page.getByLabel('Type').press('Enter');
    await page.getByText('VideoRegistered').nth(49).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('VideoRegistered').nth(99).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('VideoRegistered').nth(100).waitFor();
    expect(await shownOf(page, 'pre')).to.equal(100);
    await page.getByLabel('Video id').fill(ids.video_id);
    await page.getByLabel('Face id').fill('3');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText(`face 3: “${markup[3]}” → “${markup[3]}.”`).waitFor();
  });
});
