import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { MediaAnalysis } from '../../adapters/client/index.js';
import { type Tab, adminOf, expectSoon, signedIn, useConsole } from '../support/browser/console.js';
import { runCommand } from '../support/e2e/command.js';
import { waitUntilStale } from '../support/e2e/runs.js';
import { eventStoreOf } from '../support/engine.js';
import type { World } from '../support/world.js';

describe('the audit in the console', function () {
  this.timeout(90_000);
  let world: World;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let client: MediaAnalysis;
  useConsole({ match_stale_seconds: 1 }, async (started) => {
    ({ world, browser } = started);
    client = adminOf(world);
    tab = await signedIn(browser, world);
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
    runCommand(['audit', ...args], { DATA_DIR: world.dataDir, EVENT_STORE: await eventStoreOf(world.dataDir) });

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
    // Its changes can be undone.
    await tab.open(`videos/${video_id}`);
    await page
      .getByRole('button', { name: /^Undo / })
      .first()
      .click();
    await expectSoon(async () => (await client.videos.get(video_id)).faces[0]?.speaker_id, null);
    expect(tab.complaints).to.deep.equal([]);
  });

  const shown = () => page.locator('.events summary strong').allTextContents();
  const field = (name: string) => page.locator('.events').getByLabel(name, { exact: true });

  it('filters the events by type, stream, actor and local time', async () => {
    const before = await mediaOf('An early one');
    await new Promise((resume) => setTimeout(resume, 1_100));
    const between = new Date();
    await new Promise((resume) => setTimeout(resume, 1_100));
    const after = await mediaOf('A late one');
    /** The value of a time field; the browser has the clock of the tests. */
    const local = new Date(between.getTime() - between.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
    await audit();
    const type = field('Type');
    await type.fill('VideoRegistered');
    await type.press('Enter');
    const streams = async () =>
      (await page.locator('.events summary').allTextContents()).flatMap((text) => /video-\S+/.exec(text) ?? []);
    await expectSoon(async () => (await streams()).slice(-2), [`video-${before}`, `video-${after}`]);
    await field('From').fill(local);
    await expectSoon(streams, [`video-${after}`]);
    await field('From').fill('');
    await field('To').fill(local);
    await expectSoon(async () => (await streams()).at(-1), `video-${before}`);
    await field('To').fill('');
    await type.fill('');
    await field('Stream').fill(`video-${after}`);
    await field('Stream').press('Enter');
    await expectSoon(async () => new Set(await streams()).size, 1);
    expect(await shown()).to.include('VideoAnalysisRecorded');
    await field('Actor').fill('nobody-of-that-name');
    await field('Actor').press('Enter');
    await page.getByText('No events match these filters.').waitFor();
    expect(tab.complaints).to.deep.equal([]);
  });

  it('keeps a partly entered filter while new events arrive', async () => {
    await audit();
    await field('Stream').focus();
    await page.keyboard.type('video-of');
    await mediaOf('Meanwhile');
    // The events of one call may arrive in several answers.
    await expectSoon(() => page.locator('.since summary strong').first().textContent(), 'WriteAnswered');
    expect(await field('Stream').inputValue()).to.equal('video-of');
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
    expect((await ranOnLog('seal')).code).to.equal(0);
    const sealed = page.getByText('when the event log was last checked and sealed').first();
    await sealed.waitFor();
    expect(await sealed.textContent()).to.match(/intact.*up to position \d+: \d+ events\./);
  });

  it('shows that an erased recording existed, and nothing of its content', async () => {
    const video_id = await mediaOf('A secret title');
    await client.faces.rename(video_id, [{ face_id: 1, name: 'A secret name' }]);
    await client.videos.erase(video_id);
    await audit();
    await field('Stream').fill(`video-${video_id}`);
    await field('Stream').press('Enter');
    await expectSoon(async () => (await shown()).includes('FacesRenamed'), true);
    for (const one of await page.locator('.events summary').all()) await one.click();
    expect(await page.locator('.events').textContent()).to.not.include('secret');
    await page.getByLabel('Video id').fill(video_id);
    await page.getByLabel('Face id').fill('1');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Video analysis recorded').waitFor();
    expect(await page.locator('main').textContent()).to.not.include('secret');
    expect((await ranOnLog('verify')).code).to.equal(0);
  });
});
