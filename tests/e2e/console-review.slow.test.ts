import { expect } from 'chai';
import { expectNoViolations } from '../support/browser/accessibility.js';
import { expectSoon, talkOf, useConsole } from '../support/browser/console.js';
import { startMedia } from '../support/browser/media.js';
import { crowdOf, skipTo, stored } from '../support/browser/review.js';

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
    await page.getByText(/^\d+ left$/).waitFor();
    await page.getByRole('button', { name: '1 skipped: show again' }).click();
    await page.getByRole('button', { name: '1 skipped: show again' }).waitFor({ state: 'detached' });
    await page.keyboard.press('u');
    await page.getByText('There is nothing to undo.').waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 answered', { exact: true }).waitFor();
    await heading.waitFor();
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Who is who' }).waitFor();
    expect(tab.complaints).to.deep.equal([]);
  });

  it('gives a speaker the inferred name, shown with its quote, and undoes that', async () => {
    const client = suite.client;
    const { audio_id } = await talkOf(client, 'A talk with names');
    const { account_id } = await client.me.get();
    await client.credits.grant(account_id, { amount: 100, reason: 'a test' });
    await client.names.suggest(audio_id, { target_speaker_ids: [1] });
    const nameOf = async () => (await client.audios.get(audio_id)).speakers.find((one) => one.speaker_id === 1)?.name;
    const before = await nameOf();
    const tab = await suite.signedIn();
    await tab.open('review');
    await skipTo(tab, 'What is the name of Speaker 1 in A talk with names');
    await tab.page.locator('mark').filter({ hasText: 'Ada Lovelace' }).waitFor();
    await expectNoViolations(tab);
    await Promise.all([stored(tab, 'PUT'), tab.page.keyboard.press('1')]);
    expect(await nameOf()).to.equal('Ada Lovelace');
    await tab.page.keyboard.press('u');
    await tab.page.getByText('0 answered', { exact: true }).waitFor();
    expect(await nameOf()).to.equal(before);
    expect(tab.complaints).to.deep.equal([]);
  });

  it('assigns the keys 1 to 5 to faces, once however long a key is held down', async () => {
    const client = suite.client;
    const video_id = await crowdOf(client);
    const [question] = await client.review.list({ video_id }).toArray();
    const offered = question?.candidates.map(({ face_id }) => face_id) ?? [];
    expect(offered).to.have.lengthOf(5);
    const tab = await suite.signedIn();
    const { page } = tab;
    await tab.open('review');
    await skipTo(tab, 'Who is Speaker 1 in A crowd?');
    for (const key of ['1', '2', '3', '4', '5']) {
      const face = offered[Number(key) - 1];
      await page.getByRole('button', { name: new RegExp(`^${key} Face ${face} `) }).waitFor();
      await Promise.all([stored(tab, 'POST'), page.keyboard.down(key)]);
      // A key that is held down sends repeated events.
      await page.keyboard.down(key);
      await page.keyboard.up(key);
      await page.getByText('1 answered', { exact: true }).waitFor();
      const { decisions } = await client.decisions.list(video_id);
      expect(
        decisions.map(({ face_id }) => face_id),
        key,
      ).to.deep.equal([face]);
      await page.keyboard.press('u');
      await page.getByText('0 answered', { exact: true }).waitFor();
      await page.getByRole('heading', { name: 'Who is Speaker 1 in A crowd?' }).waitFor();
    }
    expect(tab.complaints).to.deep.equal([]);
  });

  it('plays the excerpt in which the speaker is heard', async () => {
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
      await tab.page.keyboard.press('p');
      await expectSoon(() => inMedia('media.paused'), true);
      await tab.page.getByText('Face 2 is seen at 0:10 0:30').waitFor();
      await tab.page.keyboard.press('v');
      await tab.page.getByText('Face 2 at 0:10').waitFor();
      await tab.page.keyboard.press('v');
      await tab.page.getByText('Face 2 at 0:30').waitFor();
      await expectSoon(() => inMedia('media.currentTime >= 30 && !media.paused'), true);
      await tab.page.getByRole('button', { name: 'Play Face 2 at 0:10' }).click();
      await expectSoon(() => inMedia('media.currentTime < 20'), true);
      expect(tab.complaints).to.deep.equal([]);
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
    expect(tab.complaints).to.deep.equal([]);
  });
});
