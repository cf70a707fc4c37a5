import { expect } from 'chai';
import type { MediaAnalysis } from '../../adapters/client/index.js';
import { expectNoViolations } from '../support/browser/accessibility.js';
import { type Tab, expectSoon, talkOf, useConsole } from '../support/browser/console.js';
import { startMedia } from '../support/browser/media.js';

/** Skips questions until one begins with this text. */
const skipTo = async ({ page }: Tab, words: string): Promise<void> => {
  const heading = page.locator('.question[aria-busy=false] h2');
  for (let left = 100; left > 0; left -= 1) {
    await heading.waitFor();
    const text = (await heading.textContent()) ?? '';
    if (text.startsWith(words)) return;
    await page.keyboard.press('s');
    await page.waitForFunction(`document.querySelector('.question h2')?.textContent !== ${JSON.stringify(text)}`);
  }
  throw new Error(`nothing asks: ${words}`);
};

/** The response to an answer, which is shown before the service has stored it. */
const stored = ({ page }: Tab, method: string) =>
  page.waitForResponse((response) => response.request().method() === method);

/** Six people who are visible all the time: the five likeliest of them are offered. */
const crowdOf = async (client: MediaAnalysis): Promise<string> => {
  const { video_id } = await client.videos.create({ title: 'A crowd' });
  const { audio_id } = await client.audios.create({ video_id });
  const faces = [1, 2, 3, 4, 5, 6].map((id) => ({ id, tracks: [{ start: id / 10, end: 40 }] }));
  await client.videos.recordAnalysis(video_id, { status: 'completed', faces });
  await client.audios.recordAnalysis(audio_id, {
    status: 'completed',
    speakers: [{ speaker_id: 1 }],
    segments: [{ speaker_id: 1, start: 0, end: 40 }],
  });
  await client.runs.wait(await client.matches.suggest(video_id));
  return video_id;
};

describe('the review in the console', function () {
  this.timeout(120_000);
  const suite = useConsole({ match_worker: 'embedded' });

  it('shows its keys, skips a question, asks again after a rejection, and opens the video', async () => {
    await talkOf(suite.client, 'A last talk');
    const tab = await suite.signedIn();
    const { page } = tab;
    await tab.open('review');
    const heading = page.getByRole('heading', { name: /^Who is Speaker \d in A|^Who is Speaker \d in T/ });
    await heading.waitFor();
    await page.keyboard.press('?');
    await page.getByText('the speaker is off screen').waitFor();
    await page.keyboard.press('?');
    await page.getByText('the speaker is off screen').waitFor({ state: 'detached' });
    const first = await heading.textContent();
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: first ?? '', exact: true }).waitFor({ state: 'detached' });
    await page.getByText(/^\d+\s+left$/).waitFor();
    await page.getByRole('button', { name: '1 skipped: show again' }).click();
    await page.getByRole('button', { name: '1 skipped: show again' }).waitFor({ state: 'detached' });
    await page.keyboard.press('u');
    await page.getByText('There is nothing to undo.').waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 answered', { exact: true }).waitFor();
    await heading.waitFor();
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Who is who' }).waitFor();
  });

  it('gives a speaker the inferred name, shown with its quote, or another, or settles that it is not the name', async () => {
    const client = suite.client;
    const { audio_id, video_id } = await talkOf(client, 'A talk with names');
    const { account_id } = await client.me.get();
    await client.credits.grant(account_id, { amount: 100, reason: 'a test' });
    await client.names.suggest(audio_id, { target_speaker_ids: [1, 2] });
    const names = async () => (await client.audios.get(audio_id)).speakers.map(({ name }) => name);
    const asked = async () => (await client.review.list({ video_id, kind: 'name' }).toArray()).length;
    const [before] = await names();
    const tab = await suite.signedIn();
    const { page } = tab;
    await tab.open('review');
    await skipTo(tab, 'What is the name of Speaker 1 in A talk with names');
    await page.locator('mark').filter({ hasText: 'Ada Lovelace' }).waitFor();
    await expectNoViolations(tab);
    await Promise.all([stored(tab, 'PUT'), page.keyboard.press('1')]);
    expect((await names())[0]).to.equal('Ada Lovelace');
    await page.keyboard.press('u');
    await page.getByText('0 answered', { exact: true }).waitFor();
    expect((await names())[0]).to.equal(before);
    await skipTo(tab, 'What is the name of Speaker 1 in A talk with names');
    await page.keyboard.press('e');
    await page.getByLabel('Name of the speaker').fill('Augusta Ada King');
    await Promise.all([stored(tab, 'PUT'), page.keyboard.press('Enter')]);
    expect((await names())[0]).to.equal('Augusta Ada King');
    await skipTo(tab, 'What is the name of Speaker 2 in A talk with names');
    await Promise.all([stored(tab, 'PUT'), page.keyboard.press('x')]);
    expect((await names())[1]).to.equal('Speaker 2');
    expect(await asked()).to.equal(0);
    await page.getByText(/^storing/).waitFor({ state: 'detached' });
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: /^What is the name of Speaker 2/ }).waitFor();
    expect(await asked()).to.equal(1);
  });

  it('takes a face by its key, once however long the key is held down, and any other face from a list', async () => {
    const client = suite.client;
    const video_id = await crowdOf(client);
    const [question] = await client.review.list({ video_id }).toArray();
    const offered = question?.candidates.map(({ face_id }) => face_id) ?? [];
    const decided = async () =>
      (await client.decisions.list(video_id)).decisions.map(({ face_id, verdict }) => [face_id, verdict]);
    const tab = await suite.signedIn();
    const { page } = tab;
    await tab.open('review');
    await skipTo(tab, 'Who is Speaker 1 in A crowd?');
    await page.getByRole('button', { name: new RegExp(`^5 Face ${offered[4]} `) }).waitFor();
    await Promise.all([stored(tab, 'POST'), page.keyboard.down('5')]);
    // A key that is held down sends repeated events.
    await page.keyboard.down('5');
    await page.keyboard.up('5');
    await page.getByText('1 answered', { exact: true }).waitFor();
    expect(await decided()).to.deep.equal([[offered[4], 'confirmed']]);
    await page.keyboard.press('u');
    await page.getByText('0 answered', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Who is Speaker 1 in A crowd?' }).waitFor();
    await page.locator('.question[aria-busy=false]').waitFor();
    expect(await page.locator('.question option').count(), 'the list before it is opened').to.equal(1);
    await page.keyboard.press('f');
    await page.locator('.question option').nth(6).waitFor({ state: 'attached' });
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('SELECT');
    const [other] = [1, 2, 3, 4, 5, 6].filter((id) => !offered.includes(id));
    await Promise.all([stored(tab, 'POST'), page.getByLabel('Another face').selectOption(`Face ${other}`)]);
    expect(await decided()).to.deep.equal([[other, 'confirmed']]);
  });

  it('plays the excerpt in which the speaker is heard, and each in which a face is seen', async () => {
    const media = await startMedia(40);
    try {
      await talkOf(suite.client, 'A talk with sound', { media_url: media.url });
      const tab = await suite.signedIn();
      await tab.open('review');
      await skipTo(tab, 'Who is Speaker 2 in A talk with sound');
      const excerpt = tab.page.locator('.question video');
      expect(await excerpt.getAttribute('src')).to.equal(`${media.url}#t=10,20`);
      await tab.page.locator('.question').getByText('First heard at 0:10').waitFor();
      const inMedia = (code: string) => tab.page.evaluate(`((media) => ${code})(document.querySelector('video'))`);
      await expectSoon(() => inMedia('media.readyState > 0'), true);
      await inMedia('media.pause()');
      await tab.page.keyboard.press('p');
      await expectSoon(() => inMedia('media.paused'), false);
      await tab.page.getByText('Face 2 is seen at 0:10 0:30').waitFor();
      await tab.page.keyboard.press('v');
      await tab.page.keyboard.press('v');
      await tab.page.getByText('Face 2 at 0:30').waitFor();
      await expectSoon(() => inMedia('media.currentTime >= 30 && !media.paused'), true);
      await tab.page.getByRole('button', { name: 'Play Face 2 at 0:10' }).click();
      await expectSoon(() => inMedia('media.currentTime < 20'), true);
    } finally {
      media.end();
    }
  });

  it('asks whose face it is if a caption names somebody else, and confirms name and face with a key', async () => {
    const client = suite.client;
    const { video_id, audio_id } = await talkOf(client, 'A talk with captions', {
      captions: [{ start: 0, end: 9, text: 'Bob Stone' }],
    });
    await client.speakers.rename(audio_id, [{ speaker_id: 1, name: 'Ada King' }]);
    await client.runs.wait(await client.matches.suggest(video_id));
    const tab = await suite.signedIn();
    await tab.open('review');
    await skipTo(tab, 'Is it Ada King, or Bob Stone as a caption says, in A talk with captions?');
    await tab.page.getByRole('button', { name: '1 Bob Stone' }).waitFor();
    await Promise.all([stored(tab, 'POST'), tab.page.keyboard.press('k')]);
    const { decisions } = await client.decisions.list(video_id);
    expect(decisions.map(({ face_id, verdict }) => [face_id, verdict])).to.deep.equal([[1, 'confirmed']]);
  });

  it('keeps the question and the answer while the service is away, and stores the answer when it is back', async () => {
    const client = suite.client;
    const { video_id } = await talkOf(client, 'A talk in an outage');
    const tab = await suite.signedIn();
    const { page } = tab;
    await tab.open('review');
    await skipTo(tab, 'Who is Speaker 2 in A talk in an outage');
    await page.route('**/v2/**', (route) => route.abort());
    await page.getByText('The service does not answer at present.').waitFor();
    await page.getByRole('heading', { name: 'Who is Speaker 2 in A talk in an outage?' }).waitFor();
    expect(await page.locator('blockquote').textContent()).to.include('Good evening');
    await page.keyboard.press('2');
    await page.getByText('1 not stored yet').waitFor();
    // Loading the page again, leaving it, or a sign-out that is cancelled does not lose the answer.
    await page.reload();
    await tab.open('account');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await tab.open('review');
    await page.getByText('1 not stored yet').waitFor();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('1 not stored yet').waitFor();
    await page.unroute('**/v2/**');
    await page.getByText(/not stored yet|^storing/).waitFor({ state: 'detached' });
    await page.getByText('The service does not answer at present.').waitFor({ state: 'detached' });
    const { decisions } = await client.decisions.list(video_id);
    expect(decisions.map(({ speaker_id, verdict }) => [speaker_id, verdict])).to.deep.equal([[2, 'confirmed']]);
    const events = await client.videos.history(video_id).toArray();
    expect(events.filter(({ type }) => type === 'LinksDecided')).to.have.lengthOf(1);
    // An answer that is stored can be undone, also after a reload.
    await page.getByText('1 answered', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('1 answered', { exact: true }).waitFor();
    await page.keyboard.press('u');
    await page.getByText('0 answered', { exact: true }).waitFor();
    expect((await client.decisions.list(video_id)).decisions).to.deep.equal([]);
  });
});
