import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { MediaAnalysis } from '../../adapters/client/index.js';
import { type Tab, useConsole } from '../support/browser/console.js';

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
    for (const title of markup) await client.videos.create({ title });
    ids = await videoOf(client, markup[1] ?? '');
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

  it('are shown as they are: titles in the list of videos', async () => {
    await tab.page.getByRole('row').nth(markup.length).waitFor();
    expect(await shownOf(tab.page, 'th a')).to.equal(markup.length);
  });

  it('are shown as they are: the title, names and sentences of a video, and its history', async () => {
    const { page } = tab;
    await tab.open(`videos/${ids.video_id}`);
    await page.getByRole('heading', { name: markup[1] ?? '', level: 1 }).waitFor();
    await page.getByRole('group', { name: /^Timeline/ }).waitFor();
    await page.getByText('Faces renamed').waitFor();
    await page.locator('.card select').first().focus();
    await page.locator('.card option').nth(markup.length).waitFor({ state: 'attached' });
    for (const elements of ['.card h3 button', '.card option', 'table th', '.head', '.transcript li'])
      expect(await shownOf(page, elements), elements).to.equal(markup.length);
    expect(await shownOf(page, '.history li')).to.be.greaterThan(3);
  });
});
