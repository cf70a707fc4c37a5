import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { MediaAnalysis } from '../../adapters/client/index.js';
import { isLongForm } from '../support/long-form.js';
import { launchBrowser } from '../support/browser/chromium.js';
import { needsConsole } from '../support/browser/console.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../support/service-process.js';

const reach = async (page: Page, target: Locator): Promise<void> => {
  await target.waitFor();
  for (let left = 300; left > 0; left -= 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keys do not reach ${String(target)}`);
};

/** Waits until a service that was away has done it; presses again if it was not asked before it went away. */
const untilDone = async (done: Locator, again: () => Promise<void>): Promise<void> => {
  for (let left = 5; left > 0 && !(await done.isVisible()); left -= 1) {
    await done.waitFor({ timeout: 4_000 }).catch(again);
  }
  await done.waitFor();
};

/** Presses a button, or opens a link or a field, by keys alone. */
const press = async (page: Page, target: Locator): Promise<void> => {
  await reach(page, target);
  await page.keyboard.press('Enter');
};

/** In each recording. */
const pairs = 8;
/** 32 questions in the long form, 16 in the short one. */
const recordings = isLongForm ? ['first', 'second', 'third', 'last'] : ['first', 'last'];
const questions = recordings.length * pairs;
const secondsEach = 4;

/** Faces that are seen one after the other, and speakers who talk at the same times, of one recording. */
const filesOf = (recording: string) => {
  const all = Array.from({ length: pairs }, (_, at) => at);
  const steps = Array.from({ length: secondsEach * 5 }, (_, step) => step / 5);
  const faces = all.flatMap((at) =>
    steps.map(
      (step) => `${recording},${(at * secondsEach + step).toFixed(2)},0.1,0.1,0.4,0.6,NOT_SPEAKING,${recording}:${at}`,
    ),
  );
  const turns = all.map(
    (at) =>
      `SPEAKER ${recording} 1 ${at * secondsEach}.2 ${secondsEach - 0.6} <NA> <NA> spk${String(at).padStart(2, '0')} <NA> <NA>`,
  );
  const file = (name: string, lines: ReadonlyArray<string>) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(`${lines.join('\n')}\n`),
  });
  return [file(`${recording}.csv`, faces), file(`${recording}.rttm`, turns)];
};

describe('a reviewer whose service is killed', function () {
  this.timeout(240_000);
  let browser: Browser;
  let dataDir: string;
  let service: ServiceProcess;
  before(async function () {
    needsConsole(this);
    browser = await launchBrowser();
  });
  after(() => browser?.close());
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'media-analysis-'));
    service = await startServiceProcess(dataDir, { env: { MATCH_WORKER: 'embedded', LOG_LEVEL: 'fatal' } });
  });
  afterEach(async () => {
    if (!service.hasEnded()) await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  /** Starts the service that was killed again, at the same address. */
  const start = async (): Promise<void> => {
    const env = { MATCH_WORKER: 'embedded', LOG_LEVEL: 'fatal', PORT: String(service.port) };
    service = await startServiceProcess(dataDir, { env });
  };

  it('imports, suggests, answers, renames and undoes all by keys alone: nothing is lost, nothing comes twice', async () => {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1366, height: 768 } });
    const page = await context.newPage();
    const client = new MediaAnalysis({ baseUrl: service.url, apiKey: adminKey });
    const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
    const go = (name: string): Promise<void> => press(page, page.getByRole('link', { name, exact: true }));

    // Signs in and imports the recordings; the service is killed while the first is sent.
    await page.goto(`${service.url}/console/`);
    await page.getByLabel('API key').fill(adminKey);
    await press(page, button('Sign in'));
    await page.getByRole('heading', { name: 'Videos' }).waitFor();
    const choose = async (recording: string): Promise<void> => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        press(page, page.getByLabel('Drop the files of one recording here, or choose files')),
      ]);
      await chooser.setFiles(filesOf(recording));
    };
    const imported = (recording: string): Locator => page.getByRole('link', { name: `Open ${recording}` });
    await choose('first');
    await service.kill();
    await start();
    await page
      .getByText(/^(?:Open first|Import: |first\.(?:csv|rttm): .*(?:imported|did not answer))/)
      .first()
      .waitFor();
    await choose('first');
    await imported('first').waitFor();
    for (const recording of recordings.slice(1)) {
      await choose(recording);
      await imported(recording).waitFor();
    }
    const videos = await client.videos.list().toArray();
    expect(new Set(videos.map(({ title }) => title))).to.deep.equal(new Set(recordings));
    expect(videos).to.have.lengthOf(recordings.length);
    const people = async () =>
      Promise.all(
        videos.map(async ({ video_id, audio_id }) => [
          (await client.videos.get(video_id)).faces.map(({ id, name, speaker_id }) => [id, name, speaker_id]),
          (await client.audios.get(audio_id ?? '')).speakers.map(({ speaker_id, name }) => [speaker_id, name]),
        ]),
      );
    const unnamed = await people();

    // Asks for suggestions; the service is killed while it makes the last ones. Renames a speaker.
    for (const recording of recordings) {
      await go('Videos');
      await go(recording);
      await page.getByText(`${pairs} faces, ${pairs} speakers`).waitFor();
      await press(page, button('Suggest'));
      if (recording === 'last') {
        await service.kill();
        await start();
      }
      await untilDone(page.getByText(/^may be Face/).first(), () => press(page, button(/^Suggest(?: again)?$/)));
    }
    await press(page, button('Rename Speaker 0'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Ada Lovelace');
    await service.kill();
    await press(page, button('Save'));
    await page.getByRole('alert').filter({ hasText: 'The service did not answer' }).first().waitFor();
    await start();
    await untilDone(button('Ada Lovelace'), () => press(page, button('Save')));

    // Answers all questions; the service is killed twice in between, and the page loaded again.
    await go('Review');
    const titles = new Map(videos.map(({ video_id, title }) => [video_id, title]));
    const given: string[] = [];
    for (let at = 0; at < questions; at += 1) {
      await page.getByText(`${at} answered`, { exact: true }).waitFor();
      const heading = page.locator('.question h2');
      const question = (await heading.textContent()) ?? '';
      const key = at % 3 === 2 ? 'n' : '1';
      // What a question is about is known only by its ids while the service is away.
      given.push(
        `${question} ${key}`
          .replace(/import-\w+/, (id) => titles.get(id) ?? '')
          .replace('Ada Lovelace in last', 'Speaker 0 in last'),
      );
      await page.keyboard.press(key);
      await page.waitForFunction(`document.querySelector('.question h2')?.textContent !== ${JSON.stringify(question)}`);
      if (at === 3 || at === 8) void service.kill();
      if (at === 6) await start();
      if (at === 11) {
        await page.getByText(/not stored yet/).waitFor();
        await start();
        await page.reload();
        await page.getByText(`${at + 1} answered`, { exact: true }).waitFor();
      }
    }
    await page.getByText('No open questions.').waitFor();
    await page.getByText(/^storing|not stored yet/).waitFor({ state: 'detached' });
    expect(new Set(given).size, 'questions that were asked twice').to.equal(questions);

    const events = async (type: RegExp) => {
      const histories = await Promise.all([
        ...videos.map(({ video_id }) => client.videos.history(video_id).toArray()),
        ...videos.map(({ audio_id }) => client.audios.history(audio_id ?? '').toArray()),
      ]);
      return histories.flat().filter((event) => type.test(event.type));
    };
    const standing = async () => {
      const lists = await Promise.all(
        videos.map(async ({ video_id, title }) =>
          (await client.decisions.list(video_id)).decisions.map(
            ({ speaker_id, face_id }) => `Who is Speaker ${speaker_id} in ${title}? ${face_id === null ? 'n' : '1'}`,
          ),
        ),
      );
      return lists.flat().toSorted();
    };
    expect(await standing()).to.deep.equal(given.toSorted());
    expect(await events(/^LinksDecided$/)).to.have.lengthOf(questions);
    expect(await events(/^SpeakersRenamed$/)).to.have.lengthOf(1);

    // Takes all of it back; the service is killed in between.
    for (let left = questions - 1; left >= 0; left -= 1) {
      await page.keyboard.press('u');
      if (left === 5) {
        void service.kill();
        await page.getByText('The service does not answer at present.').waitFor();
        await start();
      }
      await page.getByText(`${left} answered`, { exact: true }).waitFor();
    }
    await go('Videos');
    await go('last');
    await press(page, button('Undo Speakers renamed'));
    await button('Speaker 0').waitFor();
    expect(await standing()).to.deep.equal([]);
    expect(await events(/^LinksDecided$/)).to.have.lengthOf(questions);
    expect(await events(/Reverted$/)).to.have.lengthOf(questions + 1);
    expect(await people()).to.deep.equal(unnamed);
    await context.close();
  });
});
