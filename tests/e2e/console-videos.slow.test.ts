import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { MediaAnalysis } from '../../adapters/client/index.js';
import { expectNoViolations, pictured } from '../support/browser/accessibility.js';
import { type Tab, expectSoon, talkOf, useConsole } from '../support/browser/console.js';

describe('the list of videos in the console, and its import', function () {
  this.timeout(90_000);
  let tab: Tab;
  let page: Page;
  let client: MediaAnalysis;
  const suite = useConsole({ match_worker: 'embedded' }, async () => {
    client = suite.client;
    await talkOf(client, 'Middle talk');
    const { video_id } = await client.videos.create({ title: 'Alpha failed' });
    await client.videos.recordAnalysis(video_id, { status: 'failed', faces: [] });
    await client.videos.create({ title: 'Zeta waits' });
    tab = await suite.signedIn();
    ({ page } = tab);
  });
  beforeEach(async () => {
    await tab.open('account');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await tab.open('videos');
    await page.getByRole('link', { name: 'Zeta waits' }).waitFor();
  });
  const titles = () => page.locator('tbody th').allTextContents();
  const ordered = (order: string) => page.getByLabel('Order').selectOption(order);

  it('lists what needs review first, then the newest; the order can be changed', async () => {
    expect(await page.getByLabel('Order').inputValue()).to.equal('needs_review');
    expect(await titles()).to.deep.equal(['Middle talk', 'Zeta waits', 'Alpha failed']);
    await ordered('newest first');
    await expectSoon(titles, ['Zeta waits', 'Alpha failed', 'Middle talk']);
    await ordered('by title');
    await expectSoon(titles, ['Alpha failed', 'Middle talk', 'Zeta waits']);
  });

  it('is filtered by title, status and review, and says if nothing matches', async () => {
    await page.getByRole('searchbox', { name: 'Title' }).fill('WAITS');
    await expectSoon(titles, ['Zeta waits']);
    await page.getByRole('searchbox', { name: 'Title' }).fill('');
    await page.getByLabel('Status').selectOption('its analysis failed');
    await expectSoon(async () => (await titles()).join().startsWith('Alpha failed'), true);
    await page.getByRole('checkbox', { name: 'needs review' }).check();
    await page.getByText('No videos match these filters.').waitFor();
    await page.getByLabel('Status').selectOption('any');
    await expectSoon(titles, ['Middle talk']);
    await page.getByRole('row', { name: /Middle talk admin analysed 2 0 2 suggested/ }).waitFor();
  });

  it('counts the suggestions that are open, not all speakers that may be asked about', async () => {
    const { video_id, audio_id } = await talkOf(client, 'Two of three');
    const segments = await client.audios.segments(audio_id).toArray();
    await client.audios.recordAnalysis(audio_id, {
      status: 'completed',
      speakers: [1, 2, 3].map((speaker_id) => ({ speaker_id })),
      segments: [...segments, { speaker_id: 3, start: 90, end: 100 }],
    });
    await client.runs.wait(await client.matches.suggest(video_id));
    await page.getByRole('row', { name: /^Two of three admin analysed 2 0 2 suggested/ }).waitFor();
    await client.runs.wait(await client.matches.run(video_id));
    await page.getByRole('row', { name: /^Two of three admin analysed 2 2 \d+ \w+ \d{4}/ }).waitFor();
    await client.audios.erase(audio_id);
    await client.videos.erase(video_id);
  });

  it('says that a long list has more', async () => {
    for (let left = 50; left > 0; left -= 1) await client.videos.create({ title: 'Of many' });
    await page.getByRole('searchbox', { name: 'Title' }).fill('of many');
    await page.getByText('50 videos, 0 need review', { exact: true }).waitFor();
    await client.videos.create({ title: 'One too many, of many' });
    await page.getByText('The first 50 videos, 0 need review; there are more', { exact: true }).waitFor();
    for (const { video_id } of await client.videos.list({ title: 'of many' }).toArray())
      await client.videos.erase(video_id);
  });

  it('keeps filters, order, length and place in the address, also after going back', async () => {
    await page.getByText(/^\d videos, \d needs? review$/).waitFor();
    await page.getByRole('searchbox', { name: 'Title' }).fill('zeta');
    await ordered('by title');
    await page.getByLabel('Status').selectOption('queue');
    await expectSoon(titles, ['Zeta waits']);
    expect(await page.evaluate('location.hash')).to.equal('#/videos?title=zeta&order=title&status=queue');
    await page.getByRole('link', { name: 'Zeta waits' }).click();
    await page.getByRole('heading', { name: 'Zeta waits', level: 1 }).waitFor();
    await page.goBack();
    await expectSoon(titles, ['Zeta waits']);
    expect(await page.getByLabel('Order').inputValue()).to.equal('title');
    await expectSoon(async () => page.evaluate('document.activeElement.textContent'), 'Zeta waits');
    await page.reload();
    await expectSoon(titles, ['Zeta waits']);
  });

  it('lists an audio without a video and opens it: its speakers, timeline, transcript and names', async () => {
    const { audio_id } = await client.audios.create({ title: 'A call' });
    const text = 'Hello, my name is Ada Lovelace.';
    await client.audios.recordAnalysis(audio_id, {
      status: 'completed',
      speakers: [{ speaker_id: 1 }, { speaker_id: 2 }],
      segments: [
        { speaker_id: 1, start: 0, end: 5 },
        { speaker_id: 2, start: 5, end: 9 },
      ],
      transcript: [{ speaker_id: 1, start: 0, end: 5, text }],
    });
    await page.getByText('Audios without a video').click();
    await page.getByRole('link', { name: 'A call' }).waitFor();
    expect(await page.locator('details a').allTextContents()).to.deep.equal(['A call']);
    await expectNoViolations(tab, 'audios');
    await page.getByRole('link', { name: 'A call' }).click();
    await page.getByRole('heading', { name: 'A call', level: 1 }).waitFor();
    await page.getByText(text).waitFor();
    await page.getByRole('group', { name: 'Timeline from 0:00.0 to 0:09.0' }).waitFor();
    await page.getByRole('button', { name: 'Rename Speaker 2', exact: true }).click();
    await page.getByLabel('Name of Speaker 2').fill('Mary Jones');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Mary Jones', exact: true }).waitFor();
    await client.credits.grant('admin', { amount: 10, reason: 'a test' });
    await page.getByRole('button', { name: 'Estimate the cost' }).click();
    await page.getByRole('button', { name: 'Infer and save names' }).click();
    await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).waitFor();
    await expectNoViolations(tab, 'audio');
  });

  it('cuts off no column on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const cut = `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).length`;
    expect(await page.evaluate(cut)).to.equal(0);
    await pictured(tab, 'videos on a phone now');
    await tab.open('account');
    await page
      .getByRole('button', { name: /^Revoke / })
      .first()
      .waitFor();
    expect(await page.evaluate(cut)).to.equal(0);
    await pictured(tab, 'account on a phone now');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  const clipFile = (name: string) => new URL(`../../../adapters/composition/demo-clip/${name}`, import.meta.url);
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  const speech = 'SPEAKER a 1 0.0 2.0 <NA> <NA> one <NA> <NA>\nSPEAKER a 1 2.0 2.0 <NA> <NA> two <NA> <NA>\n';
  const turns = (name: string) => file(name, speech);
  const choose = (...files: ReadonlyArray<ReturnType<typeof file>>) =>
    page.getByLabel('Drop the files of one recording here, or choose files').setInputFiles([...files]);
  const refused = (text: RegExp) => page.getByRole('alert').filter({ hasText: text }).waitFor();
  /** Drops files onto an element, by their names. */
  const drop = async (onto: string, files: Readonly<Record<string, string>>): Promise<void> => {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const carried = new DataTransfer();
      for (const [name, text] of ${JSON.stringify(Object.entries(files))}) carried.items.add(new File([text], name));
      return carried;
    })()`);
    for (const type of ['dragover', 'drop']) await page.locator(onto).dispatchEvent(type, { dataTransfer });
  };

  it('accepts dropped files, and refuses others with a message', async () => {
    await page.locator('.drop').dispatchEvent('dragover');
    await page.locator('.drop.over').waitFor();
    const target = `getComputedStyle(document.querySelector('.drop')).pointerEvents`;
    expect(await page.evaluate(target), 'a file can be dropped there').to.equal('auto');
    await drop('.drop', { 'dropped.rttm': speech, 'odd.txt': 'nothing that anybody knows' });
    await page.getByText('dropped.rttm: speech imported').waitFor();
    await refused(/odd\.txt: not in a supported format/);
    await page.getByRole('link', { name: 'Open dropped' }).waitFor();
    await page.getByRole('row', { name: /^dropped admin only speech/ }).waitFor();
  });

  it('does not leave the page when a file is dropped outside the drop area', async () => {
    await page.evaluate("addEventListener('drop', (event) => (window.isKept = event.defaultPrevented))");
    await drop('h1', { 'beside.rttm': speech });
    expect(await page.evaluate('window.isKept')).to.equal(true);
    expect(await client.videos.list({ title: 'beside' }).toArray()).to.deep.equal([]);
  });

  it('imports selected files, leaves out what is no document of a tool, and links to the video', async () => {
    await page.getByLabel('New title').fill('A titled one');
    await page.getByLabel('Media address').fill('ftp://127.0.0.1/film.mp4');
    await choose(turns('turns.rttm'));
    await refused(/the media address must begin with https/);
    await page.getByLabel('Media address').fill('http://127.0.0.1:1/film.mp4');
    await choose(turns('turns.rttm'), file('LICENCE', 'nothing that anybody knows'), file('film.mp4', '\0\0\0 ftyp'));
    await page.getByText('turns.rttm: speech imported').waitFor();
    await refused(/LICENCE: not in a supported format/);
    await refused(/film\.mp4: this is a recording or a picture, which is not uploaded/);
    expect(await page.getByLabel('Drop the files').inputValue(), 'the same file can be chosen again').to.equal('');
    await expectNoViolations(tab, 'imported');
    const [video] = await client.videos.list({ title: 'A titled one' }).toArray();
    expect(video?.media_url).to.equal('http://127.0.0.1:1/film.mp4');
    await page.getByRole('link', { name: 'Open A titled one' }).click();
    await page.getByRole('heading', { name: 'A titled one', level: 1 }).waitFor();
  });

  it('finds the recording of the same files again, and adds speech to one that has none', async () => {
    const faces = file('faces.csv', readFileSync(clipFile('faces.csv'), 'utf8'));
    for (const time of ['first', 'second']) {
      await page.getByLabel('New title').fill('Found again');
      await choose(faces);
      await page.getByText('faces.csv: faces imported').waitFor();
      await page.getByRole('link', { name: 'Open Found again' }).waitFor();
      expect((await client.videos.list({ title: 'Found again' }).toArray()).length, time).to.equal(1);
      await page.reload();
      await page.getByRole('link', { name: 'Found again' }).waitFor();
    }
    await page.getByRole('combobox', { name: 'Recording' }).selectOption('add to Found again');
    await choose(turns('later.rttm'));
    await page.getByText('later.rttm: speech imported').waitFor();
    const [video] = await client.videos.list({ title: 'Found again' }).toArray();
    expect((await client.audios.get(video?.audio_id ?? '')).speakers.length).to.equal(2);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete Found again' }).click();
    await page.getByRole('link', { name: 'Found again', exact: true }).waitFor({ state: 'detached' });
    expect(await client.videos.list({ title: 'Found again' }).toArray()).to.deep.equal([]);
  });

  it('imports all files or none', async () => {
    await choose(turns('half.rttm'), turns('more.rttm'));
    await refused(/Import: .*only one file of speaker turns can be imported at a time: half\.rttm, more\.rttm/);
    await page.getByText('half.rttm: not imported').waitFor();
    expect(await client.videos.list({ title: 'half' }).toArray()).to.deep.equal([]);
    await choose(turns('good.rttm'), file('bad.vtt', 'WEBVTT\n\n00:00:01.000 --> 00:00:0'));
    await refused(/Import: bad\.vtt, line 3/);
    await page.getByText('good.rttm: not imported').waitFor();
    expect(await client.videos.list({ title: 'good' }).toArray()).to.deep.equal([]);
  });

  it('joins the turns of one file with the transcript of another', async () => {
    const words = 'WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nGood evening.\n\n00:00:02.500 --> 00:00:03.500\nHello.\n';
    await choose(turns('joined.rttm'), file('words.vtt', words));
    await page.getByText('joined.rttm: speech imported, turns and transcript joined').waitFor();
    await page.getByText('words.vtt: speech imported, turns and transcript joined').waitFor();
    await page.getByRole('link', { name: 'Open joined' }).click();
    await page.getByText('0 faces, 2 speakers').waitFor();
    await page.getByText('only speech').waitFor();
    await page.locator('.transcript li').filter({ hasText: 'Hello.' }).waitFor();
    await pictured(tab, 'video with speech only');
  });
});
