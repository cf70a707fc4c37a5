import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { expectNoViolations, expectReachable } from '../support/browser/accessibility.js';
import { talkOf, useConsole } from '../support/browser/console.js';
import { startMedia } from '../support/browser/media.js';

const clip = (name: string) =>
  readFileSync(new URL(`../../../adapters/composition/demo-clip/${name}`, import.meta.url), 'utf8');

/** How to recognise each page once it is loaded: on a new service, and on one with recordings. */
const emptyPages = {
  videos: 'There are no videos yet.',
  review: 'No open questions.',
  account: 'No entries yet. Grants, corrections and charges of this account will appear here.',
  audit: 'Store and read models',
  realtime: 'Sends the sound of your microphone',
} as const;

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
      expect(tab.complaints).to.deep.equal([]);
    });

  describe('with recordings', () => {
    const paths = { talk: '', clip: '', failed: '' };
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
      await client.videos.create({ title: 'Waiting for its analysis' });
      const failed = await client.videos.create({
        title: 'a-very-long-file-name-without-any-space_2026-11-22_camera-3_take-17_final_final2_exported.mov',
      });
      await client.videos.recordAnalysis(failed.video_id, { status: 'failed', faces: [] });
      const film = await client.videos.create({ title: 'The clip of the demo' });
      const sound = await client.audios.create({ video_id: film.video_id });
      const options = { query: { format: 'auto' } };
      await client.videos.recordAnalysis(film.video_id, clip('faces.csv'), options);
      await client.audios.recordAnalysis(sound.audio_id, clip('turns.rttm'), options);
      await client.runs.wait(await client.matches.suggest(film.video_id));
      Object.assign(paths, {
        talk: `videos/${talk.video_id}`,
        clip: `videos/${film.video_id}`,
        failed: `videos/${failed.video_id}`,
      });
    });

    const pages: ReadonlyArray<readonly [name: string, path: () => string, text: string]> = [
      ['videos', () => 'videos', 'The clip of the demo'],
      ['video', () => paths.talk, 'my name is Ada Lovelace'],
      ['video of a clip', () => paths.clip, 'may be Face 0'],
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

    it('numbers, dates and times have the format of the reader’s locale', async () => {
      const tab = await suite.signedIn({ locale: 'de-DE' });
      const { page } = tab;
      await tab.open('account');
      await page
        .getByText(/^1\.23\d,\d+$/)
        .first()
        .waitFor();
      await page.getByText(/von 50 in|of 50 in 2 Stunden/).waitFor();
      await page
        .getByText(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/)
        .first()
        .waitFor();
      await page.getByRole('cell', { name: /^\d\d\.\d\d\.\d{4}$/ }).waitFor();
      await tab.open(paths.talk);
      await page.getByText('99,5').first().waitFor();
      await page.getByRole('group', { name: /^Timeline/ }).focus();
      for (let zoomed = 0; zoomed < 5; zoomed += 1) await page.keyboard.press('+');
      expect(tab.complaints).to.deep.equal([]);
    });
  });
});
