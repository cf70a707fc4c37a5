import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectNoViolations, expectReachable } from '../support/browser/accessibility.js';
import { talkOf, useConsole } from '../support/browser/console.js';
import { startMedia } from '../support/browser/media.js';

/** How to recognise each page of a new service once it is loaded. */
const emptyPages = {
  videos: 'There are no videos yet.',
  review: 'No open questions.',
  account: 'No entries yet. Grants, corrections and charges of this account will appear here.',
  audit: 'Store and read models',
  realtime: 'Sends the sound of your microphone',
} as const;

const requests = /\/v[12]\/|\/readyz/;
const isAway = 'The service does not answer at present.';

describe('accessibility and formats of the console', function () {
  this.timeout(120_000);
  let media: Awaited<ReturnType<typeof startMedia>>;
  const suite = useConsole({ match_worker: 'embedded' }, async () => {
    media = await startMedia(40);
  });
  after(() => media?.end());

  it('there are no accessibility faults on the sign-in page', async () => {
    const tab = await suite.tabOf();
    await tab.page.getByLabel('API key').waitFor();
    await expectNoViolations(tab, 'sign in');
  });

  for (const [path, text] of Object.entries(emptyPages))
    it(`there are no accessibility faults on the page ${path} of a new service, and the keyboard reaches everything`, async () => {
      const tab = await suite.signedIn();
      await tab.open(path);
      await tab.page.getByText(text).first().waitFor();
      await expectNoViolations(tab, `empty ${path}`);
      await expectReachable(tab, `empty ${path}`);
    });

  describe('with recordings', () => {
    const paths = { talk: '', failed: '' };
    before(async () => {
      const client = suite.client;
      const { account_id } = await client.me.get();
      await client.credits.grant(account_id, { amount: 1_234.5, reason: 'the first, paid by bank transfer' });
      await client.credits.setWindow(account_id, { limit: 50, period_seconds: 7_200 });
      const talk = await talkOf(client, 'Ada Lovelace in conversation with Grace Hopper: engines, letters, patience', {
        media_url: media.url,
        captions: [{ start: 1, end: 9, text: 'Bob Stone, University of Somewhere' }],
      });
      await client.names.infer(talk.audio_id, { target_speaker_ids: [1, 2], infer_roles: true });
      await client.runs.wait(await client.matches.suggest(talk.video_id));
      await client.decisions.create(talk.video_id, {
        decisions: [{ speaker_id: 1, face_id: 1, verdict: 'confirmed' }],
      });
      const failed = await client.videos.create({
        title: 'a-very-long-file-name-without-any-space_2026-11-22_camera-3_take-17_final_final2_exported.mov',
      });
      await client.videos.recordAnalysis(failed.video_id, { status: 'failed', faces: [] });
      Object.assign(paths, { talk: `videos/${talk.video_id}`, failed: `videos/${failed.video_id}` });
    });

    const pages: ReadonlyArray<readonly [name: string, path: () => string, text: string]> = [
      ['videos', () => 'videos', 'Ada Lovelace in conversation'],
      ['video', () => paths.talk, 'my name is Ada Lovelace'],
      ['video that failed', () => paths.failed, 'Nothing to show yet'],
      ['video that is none', () => 'videos/none', 'video'],
      ['page that is none', () => 'none', 'Page not found'],
      ['review', () => 'review', 'Skip for now'],
      ['account', () => 'account', 'speaker-name inference'],
      ['audit', () => 'audit', 'VideoRegistered'],
    ];
    for (const [name, path, text] of pages)
      it(`there are no accessibility faults on the page: ${name}; and the keyboard reaches everything`, async () => {
        const tab = await suite.signedIn();
        await tab.open(path());
        await tab.page.getByText(text).first().waitFor();
        if (name === 'review') await tab.page.keyboard.press('?');
        await expectNoViolations(tab, name);
        await expectReachable(tab, name);
      });

    it('there are no accessibility faults on pages that cannot load, and no red notices', async () => {
      const tab = await suite.signedIn();
      await tab.page.route(requests, (route) => route.abort());
      // The first page is one that the tab does not show already.
      for (const path of ['account', 'videos', paths.talk, 'review', 'realtime', 'audit']) {
        await tab.open(path);
        await tab.page.getByText(isAway).waitFor();
        expect(await tab.page.getByRole('alert').count(), `red notices on ${path}`).to.equal(0);
        await expectNoViolations(tab, `away ${path}`);
      }
    });

    it('a page keeps what it shows, and the focus, while the service is away', async () => {
      const tab = await suite.signedIn();
      await tab.open(paths.talk);
      const accept = tab.page.getByRole('button', { name: /^Accept Face 2 for / });
      await accept.waitFor();
      await tab.page.route(requests, (route) => route.abort());
      await tab.page.getByText(isAway).waitFor();
      await accept.press('Enter');
      await tab.page.getByRole('alert').filter({ hasText: 'The service did not answer' }).waitFor();
      await expectNoViolations(tab, 'away');
      expect(await accept.and(tab.page.locator(':focus')).count(), 'the focus stays').to.equal(1);
    });

    it('numbers, dates and times have the format of the reader’s locale', async () => {
      const { page, open } = await suite.signedIn({ locale: 'de-DE' });
      await open('account');
      const first = (text: RegExp) => page.getByText(text).first().waitFor();
      for (const text of [/^1\.23\d,\d+$/, /von 50 in|of 50 in 2 Stunden/, /^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/])
        await first(text);
    });
  });
});

const ways: ReadonlyArray<(code: string) => string> = [
  (code) => `<img src=x onerror=${code}>`,
  (code) => `"><script>${code}</script>`,
  (code) => `</title></textarea></select><svg/onload=${code}>`,
  (code) => `<iframe srcdoc="<script>parent.${code}</script>">`,
  (code) => `<a href="javascript:${code}">here</a>`,
  (code) => `javascript:${code}`,
  (code) => `{{constructor.constructor('${code}')()}}`,
  (code) => `<style>*{display:none}</style>${code}`,
  (code) => `&lt;img src=x onerror=${code}&gt;`,
  (code) => `\${${code}}<base href=//elsewhere.example><meta http-equiv=refresh content=0>`,
];

/** Texts that a careless page would interpret as markup or script; a script that runs sets `window.hit`. */
const markup: ReadonlyArray<string> = ways.map((way, at) => way(`window.hit=${at}`));

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
  const titled = markup[1] ?? '';
  let video_id: string;
  const suite = useConsole({ match_worker: 'embedded' }, async () => {
    const client = suite.client;
    for (const title of markup) await client.videos.create({ title });
    ({ video_id } = await client.videos.create({ title: titled }));
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
    const renamed = markup.map((name, face_id) => ({ face_id, name: `${name}.` }));
    await client.faces.rename(video_id, renamed);
  });

  it('are shown as they are, and nothing of them runs: in titles, names, sentences, and the history', async () => {
    const tab = await suite.signedIn();
    const { page } = tab;
    await page.getByRole('row').nth(markup.length).waitFor();
    expect(await shownOf(page, 'th a')).to.equal(markup.length);
    await tab.open(`videos/${video_id}`);
    await page.getByRole('heading', { name: titled, level: 1 }).waitFor();
    await page.getByRole('group', { name: /^Timeline/ }).waitFor();
    await page.getByText('Faces renamed').waitFor();
    await page.locator('.card select').first().focus();
    await page.locator('.card option').nth(markup.length).waitFor({ state: 'attached' });
    for (const elements of ['.card h3 button', '.card option', 'table th', '.head', '.transcript li'])
      expect(await shownOf(page, elements), elements).to.equal(markup.length);
    expect(await shownOf(page, '.history li')).to.be.greaterThan(3);
    expect(await page.evaluate('String(window.hit)')).to.equal('undefined');
    const made: unknown = await page.evaluate(
      "[...document.querySelectorAll('iframe, img, body script, body style, base, [onerror], [onload], [href^=javascript]')].map((one) => one.outerHTML)",
    );
    expect(made).to.deep.equal([]);
  });
});
