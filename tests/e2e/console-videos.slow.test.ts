import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { MediaAnalysis } from '../../adapters/client/index.js';
import {
  type Tab,
  adminOf,
  expectNoViolations,
  expectSoon,
  pictured,
  signedIn,
  talkOf,
  useConsole,
} from '../support/browser/console.js';
import type { World } from '../support/world.js';

describe('the list of videos in the console', function () {
  this.timeout(90_000);
  let world: World;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let client: MediaAnalysis;
  useConsole({ match_worker: 'embedded' }, async (started) => {
    ({ world, browser } = started);
    client = adminOf(world);
    await talkOf(client, 'Middle talk');
    const { video_id } = await client.videos.create({ title: 'Alpha failed' });
    await client.videos.recordAnalysis(video_id, { status: 'failed', faces: [] });
    await client.videos.create({ title: 'Zeta waits' });
    tab = await signedIn(browser, world);
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
    const [alpha] = await client.videos.list({ title: 'Alpha' }).toArray();
    await client.videos.update(alpha?.video_id ?? '', { title: 'Alpha failed again' });
    await ordered('recently changed first');
    await expectSoon(async () => (await titles())[0], 'Alpha failed again');
    await ordered('needs review first');
    await expectSoon(titles, ['Middle talk', 'Zeta waits', 'Alpha failed again']);
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

  it('says how many there are of a long list, or that there are more than it counts', async () => {
    for (let left = 50; left > 0; left -= 1) await client.videos.create({ title: 'Of many' });
    await page.getByRole('searchbox', { name: 'Title' }).fill('of many');
    await page.getByText('50 videos, 0 need review', { exact: true }).waitFor();
    await client.videos.create({ title: 'One too many, of many' });
    await page.getByText(/^The first 50 of 51 videos/).waitFor();
    const more = { videos: Array.from({ length: 1_000 }, () => ({})), next_cursor: 'more' };
    await page.route('**/v2/videos?limit=1000*', (route) => route.fulfill({ json: more }));
    await page.getByRole('searchbox', { name: 'Title' }).fill('of man');
    await page.getByText(/^The first 50 of more than 1,000 videos/).waitFor();
    await page.unroute('**/v2/videos?limit=1000*');
    for (const { video_id } of await client.videos.list({ title: 'of many' }).toArray())
      await client.videos.erase(video_id);
  });

  it('shows what others add, keeps the filter, and opens a video', async () => {
    await page.getByRole('searchbox', { name: 'Title' }).fill('talk');
    await expectSoon(titles, ['Middle talk']);
    await client.videos.create({ title: 'Another talk' });
    await page.getByRole('link', { name: 'Another talk' }).waitFor({ timeout: 3_000 });
    await page.getByRole('link', { name: 'Middle talk' }).click();
    await page.getByRole('heading', { name: 'Middle talk', level: 1 }).waitFor();
    expect(tab.complaints).to.deep.equal([]);
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
    await page.getByRole('link', { name: 'Videos', exact: true }).click();
    await page.getByText(/^\d videos, \d needs? review$/).waitFor();
    expect(await page.getByLabel('Order').inputValue()).to.equal('needs_review');
  });

  it('no longer counts a speaker whom somebody decided about as suggested', async () => {
    const { video_id } = await talkOf(client, 'Decided talk');
    const row = page.getByRole('row', { name: /Decided talk/ });
    await row.getByText('2 suggested').waitFor();
    await client.decisions.create(video_id, { decisions: [{ speaker_id: 1, face_id: null, verdict: 'confirmed' }] });
    await row.getByText('1 suggested').waitFor();
    await client.videos.erase(video_id);
    await row.waitFor({ state: 'detached' });
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
    expect(
      await page.evaluate(
        `document.querySelector('[aria-label="Keys of the account"]').scrollWidth - document.querySelector('[aria-label="Keys of the account"]').clientWidth`,
      ),
    ).to.equal(0);
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

  it('accepts dropped files, shows that they are sent, and refuses others with a message', async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resume) => (letGo = resume));
    await page.route('**/v2/audios/*/analysis*', (route) => held.then(() => route.continue()));
    await drop('.drop', { 'dropped.rttm': speech, 'odd.txt': 'nothing that anybody knows' });
    await page.getByRole('progressbar', { name: 'sending dropped.rttm' }).waitFor();
    await page.getByText('1 of 2').waitFor();
    letGo();
    await page.getByText('dropped.rttm: speech imported').waitFor();
    await refused(/odd\.txt: not in a supported format/);
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Open dropped' }).waitFor();
    await page.getByRole('row', { name: /^dropped admin only speech/ }).waitFor();
    await page.unroute('**/v2/audios/*/analysis*');
  });

  it('does not leave the page when a file is dropped outside the drop area', async () => {
    await page.evaluate("addEventListener('drop', (event) => (window.isKept = event.defaultPrevented))");
    await drop('h1', { 'beside.rttm': speech });
    expect(await page.evaluate('window.isKept')).to.equal(true);
    expect(await client.videos.list({ title: 'beside' }).toArray()).to.deep.equal([]);
  });

  it('imports selected files, leaves out what is no document of a tool, and links to the video', async () => {
    await page.getByLabel('New title').fill('A titled one');
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
    await refused(/more\.rttm: half\.rttm has speech of this recording too/);
    await refused(/Import: nothing was imported, because of more\.rttm/);
    await page.getByText('half.rttm: not imported').waitFor();
    expect(await client.videos.list({ title: 'half' }).toArray()).to.deep.equal([]);
  });

  it('imports the clip of the demo, and shows it from its start time in the film', async () => {
    const before = tab.complaints.length;
    const clip = ['faces.csv', 'turns.rttm'].map((name) => file(name, readFileSync(clipFile(name), 'utf8')));
    await choose(...clip);
    await page.getByText('faces.csv: faces imported').waitFor();
    await page.getByText('turns.rttm: speech imported').waitFor();
    await page.getByRole('link', { name: 'faces', exact: true }).click();
    await page.getByText('7 faces, 3 speakers').waitFor();
    await page.getByRole('group', { name: /^Timeline from 15:00 to 19:23/ }).waitFor();
    await page.getByRole('button', { name: 'Suggest', exact: true }).click();
    await page.getByText('New suggestions are ready.').waitFor();
    await page.getByText('may be Face 0').waitFor();
    // Each file is tried for both parts, so the browser logs the refusals of the service.
    expect(tab.complaints.slice(before).filter((text) => !text.includes('status of 422'))).to.deep.equal([]);
  });

  it('leaves nothing of a failed import', async () => {
    const taken = page.waitForResponse(
      (response) => response.request().method() === 'DELETE' && response.url().includes('/audios/'),
    );
    await choose(file('unknown.txt', 'nothing that anybody knows'));
    await refused(/unknown\.txt: not in a supported format/);
    await taken;
    expect(await client.videos.list({ title: 'unknown' }).toArray()).to.deep.equal([]);
  });

  it('no longer shows a match run as in progress once it has committed', async () => {
    const { video_id } = await talkOf(client, 'Committed talk');
    await client.runs.wait(await client.matches.run(video_id));
    const row = page.getByRole('row', { name: /Committed talk/ });
    await row.waitFor();
    const committed = (await client.videos.get(video_id)).faces.filter(({ speaker_id }) => speaker_id !== null).length;
    await expectSoon(() => row.getByRole('cell').nth(3).textContent(), String(committed));
    expect(await row.textContent()).not.to.include('in progress');
  });
});
