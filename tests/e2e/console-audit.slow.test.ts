import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { MediaAnalysis } from '../../adapters/client/index.js';
import { pictured } from '../support/browser/accessibility.js';
import { type Tab, expectSoon, useConsole } from '../support/browser/console.js';
import { runCommand } from '../support/e2e/command.js';
import { waitUntilStale } from '../support/e2e/runs.js';
import { eventStoreOf } from '../support/engine.js';

describe('the audit in the console', function () {
  this.timeout(90_000);
  let tab: Tab;
  let page: Page;
  let client: MediaAnalysis;
  const suite = useConsole({ match_stale_seconds: 1 }, async () => {
    client = suite.client;
    tab = await suite.signedIn();
    ({ page } = tab);
  });
  beforeEach(async () => {
    await tab.open('videos');
    await page.getByRole('heading', { name: 'Videos' }).waitFor();
  });

  const mediaOf = async (title: string) => {
    const { video_id } = await client.videos.create({ title });
    const { audio_id } = await client.audios.create({ video_id });
    const span = { start: 0, end: 9 };
    await client.videos.recordAnalysis(video_id, { status: 'completed', faces: [{ id: 1, tracks: [span] }] });
    await client.audios.recordAnalysis(audio_id, {
      status: 'completed',
      speakers: [{ speaker_id: 1 }],
      segments: [{ speaker_id: 1, ...span }],
    });
    return video_id;
  };
  const audit = async () => {
    await tab.open('audit');
    await page.getByText('Store and read models: ready').waitFor();
  };
  const ranOnLog = async (...args: ReadonlyArray<string>) =>
    runCommand(['audit', ...args], {
      DATA_DIR: suite.world.dataDir,
      EVENT_STORE: await eventStoreOf(suite.world.dataDir),
    });

  it('warns on a video and in the audit that an answer may belong to an older run', async () => {
    const video_id = await mediaOf('A race');
    await client.matches.suggest(video_id);
    await waitUntilStale();
    await client.matches.run(video_id);
    await client.matches.writeBack(video_id, { matches: [{ face_id: 1, speaker_id: 1, accuracy: 0.4 }] });
    await tab.open(`videos/${video_id}`);
    await page
      .getByRole('status')
      .filter({ hasText: 'This result may belong to an older run. Check what it changed.' })
      .waitFor();
    await page.getByText('face 1: speaker none → 1, accuracy none → 0.4').waitFor();
    await audit();
    const late = page.locator('summary').filter({ hasText: `May belong to an older run video ${video_id}, committed` });
    await late.click();
    await page.locator('details[open] pre').filter({ hasText: '"late_write_suspected": true' }).first().waitFor();
  });

  const shown = () => page.locator('.events summary strong').allTextContents();
  const field = (name: string) => page.locator('.events').getByLabel(name, { exact: true });

  it('filters the events by type, local time, stream and actor', async () => {
    const before = await mediaOf('An early one');
    const after = await mediaOf('A late one');
    await audit();
    expect(await page.locator('datalist option').count()).to.be.greaterThan(20);
    const streams = async () =>
      (await page.locator('.events summary').allTextContents()).flatMap((text) => /video-\S+/.exec(text) ?? []);
    await field('Type').fill('videoregistered');
    await field('Type').press('Enter');
    await expectSoon(async () => (await streams()).slice(0, 2), [`video-${after}`, `video-${before}`]);
    await field('To').fill('2001-01-01T00:00:00');
    await expectSoon(streams, []);
    await field('To').fill('');
    await field('Type').fill('');
    await field('Stream').fill(`video-${after}`);
    await field('Stream').press('Enter');
    await expectSoon(async () => (await shown()).includes('VideoAnalysisRecorded'), true);
    await field('Actor').fill('nobody-of-that-name');
    await field('Actor').press('Enter');
    await page.getByText('No events match these filters.').waitFor();
  });

  it('lists the newest events first without bookkeeping, with the label of the key, and all that is known of one', async () => {
    const video_id = await mediaOf('A traced one');
    await client.faces.rename(video_id, [{ face_id: 1, name: 'Cleo' }]);
    await audit();
    const rows = page.locator('.events summary');
    const newest = rows.first().filter({ hasText: `FacesRenamed video-${video_id}` });
    await newest.waitFor();
    expect(await shown())
      .to.not.include('WriteClaimed')
      .and.not.include('WriteAnswered');
    const made = await client.keys.create('admin', { label: 'the night shift', admin: true });
    const shift = new MediaAnalysis({ baseUrl: suite.world.url(), apiKey: made.key });
    await shift.faces.rename(video_id, [{ face_id: 1, name: 'Dora' }]);
    await newest.filter({ hasText: 'by the night shift' }).click();
    const opened = page.locator('.events details[open]');
    await opened.getByText(`the night shift (${made.key_id})`).waitFor();
    const [event] = await client.audit.events({ stream: `video-${video_id}`, order: 'desc' }).toArray();
    for (const fact of [event?.event_id, event?.causation_id, event?.request_id])
      if (typeof fact === 'string') await opened.getByText(fact, { exact: true }).waitFor();
    await pictured(tab, 'audit event');
    await opened.getByRole('button', { name: event?.request_id ?? '' }).click();
    await expectSoon(shown, ['FacesRenamed']);
    await page.getByLabel('with the bookkeeping').check();
    await expectSoon(async () => (await shown()).includes('WriteAnswered'), true);
  });

  it('is for administrators, and says so to others', async () => {
    await client.accounts.create({ account_id: 'curious' });
    const { key } = await client.keys.create('curious', {});
    const other = await suite.signedIn({ key });
    await other.open('audit');
    await other.page.getByText('This page is for administrators.').waitFor();
    expect(await other.page.getByRole('alert').count()).to.equal(0);
    await other.close();
  });

  it('shows where a name comes from, and when the log was last checked and sealed', async () => {
    const video_id = await mediaOf('An explained one');
    await client.faces.rename(video_id, [{ face_id: 1, name: 'Cleo' }]);
    await audit();
    await page.getByText('The event log has not been sealed yet.').waitFor();
    await page.getByLabel('Video id').fill(video_id);
    await page.getByLabel('Face id').fill('1');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('face 1: “Face 1” → “Cleo”').waitFor();
    await page.getByText('Video analysis recorded').waitFor();
    await page.getByLabel('Kind').selectOption('speaker');
    await page.getByText('Video analysis recorded').waitFor({ state: 'detached' });
    await page.getByLabel('Kind').selectOption('face');
    await page.getByLabel('Face id').fill('9');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText(`There is no face 9 in the video ${video_id}, and there never was.`).waitFor();
    expect((await ranOnLog('seal')).code).to.equal(0);
    const sealed = page.getByText('when the event log was last checked and sealed').first();
    await sealed.waitFor();
    expect(await sealed.textContent()).to.match(/intact.*up to position \d+: \d+ events\./);
  });
});
