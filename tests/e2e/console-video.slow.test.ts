import { expect } from 'chai';
import { expectNoViolations, pictured } from '../support/browser/accessibility.js';
import { expectSoon, openTalk, useConsole } from '../support/browser/console.js';
import { importLongVideo, longVideo } from '../support/browser/long-video.js';
import { filmOf, startMedia } from '../support/browser/media.js';

describe('a video in the console', function () {
  this.timeout(90_000);
  const suite = useConsole({ match_worker: 'embedded' }, async () => {
    const { account_id } = await suite.client.me.get();
    await suite.client.credits.grant(account_id, { amount: 100, reason: 'a test' });
  });

  const speakerOf = async (video_id: string, face: number) =>
    (await suite.client.videos.get(video_id)).faces.find(({ id }) => id === face)?.speaker_id;

  it('accepts a suggestion, undoes that as previewed, rejects it, and takes that back', async () => {
    const { page, video_id } = await openTalk(suite);
    await page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).click();
    await page.getByText('is Face 1').waitFor();
    expect(await speakerOf(video_id, 1)).to.equal(1);
    await page.getByText('face 1: speaker none → 1').waitFor();
    await page.getByRole('button', { name: 'Preview undo Decision about who is who' }).click();
    await page.getByText(/would restore face 1 \(speaker/).waitFor();
    await page.getByRole('button', { name: 'Undo Decision about who is who', exact: true }).click();
    await page.getByText('Change undone').waitFor();
    expect(await speakerOf(video_id, 1)).to.equal(null);
    await page.getByRole('button', { name: 'Reject Face 1 for Speaker 1' }).click();
    const decided = async () =>
      (await suite.client.decisions.list(video_id)).decisions.map(({ verdict, face_id }) => [verdict, face_id]);
    await expectSoon(decided, [['rejected', 1]]);
    await page.getByText(/^Speaker 1 is not Face 1, decided by admin, /).waitFor();
    await page.getByText('speaker 1: is not face 1').waitFor();
    expect(await page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Take back: Speaker 1 is not Face 1' }).click();
    await page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).waitFor();
    expect(await decided()).to.deep.equal([]);
  });

  it('undoes one’s own last changes also after a reload, the newest first, and nobody else’s', async () => {
    const { page, video_id, audio_id } = await openTalk(suite);
    await page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).click();
    await page.getByText('is Face 1').waitFor();
    await page.getByRole('button', { name: 'Rename Speaker 2', exact: true }).click();
    await page.getByLabel('Name of Speaker 2').fill('Mary Jones');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Mary Jones', exact: true }).waitFor();
    await suite.client.faces.rename(video_id, [{ face_id: 2, name: 'Somebody' }]);
    await page.reload();
    await page.getByText('Somebody').first().waitFor();
    await page.keyboard.press('u');
    await page.getByRole('button', { name: 'Speaker 2', exact: true }).waitFor();
    expect((await suite.client.audios.get(audio_id)).speakers.map(({ name }) => name)).to.deep.equal([null, null]);
    expect(await speakerOf(video_id, 1)).to.equal(1);
    await page.keyboard.press('u');
    await expectSoon(() => speakerOf(video_id, 1), null);
    await page.getByText('may be Face 1').waitFor();
    await page.keyboard.press('u');
    await page.getByText('You have made no change that can be undone.').waitFor();
    expect((await suite.client.videos.get(video_id)).faces.map(({ name }) => name)).to.include('Somebody');
  });

  it('shows the accuracy of a suggestion, its evidence, and the second choice', async () => {
    const { page, video_id } = await openTalk(suite);
    const { mappings } = await suite.client.matches.suggestions(video_id);
    const { evidence, accuracy } = mappings.find(({ speaker_id }) => speaker_id === 1) ?? {};
    const { seconds_together, seconds_speaking, runner_up } = evidence ?? {};
    expect([seconds_together, seconds_speaking]).to.deep.equal([20, 20]);
    expect(runner_up).to.include({ face_id: 2 });
    const card = page.getByRole('listitem').filter({ hasText: 'may be Face 1' });
    const text = (await card.textContent()) ?? '';
    expect(text).to.include(
      `${(100 * (accuracy ?? 0)).toFixed(1)}% sure. Seen and heard together: 20 s seen while talking, `,
    );
    expect(text).to.include('20 s of speech, 22 s visible');
    await card.getByText('Face 1 is seen at 0:00').waitFor();
    expect(text).to.match(/Second choice: Face 2, \d+(\.\d)?%/);
    expect(Number(await card.getByRole('meter').getAttribute('value'))).to.equal(accuracy);
  });

  it('marks a speaker as not visible, matches another face, and removes a match', async () => {
    const { page, video_id } = await openTalk(suite);
    await page.getByRole('button', { name: 'Speaker 2 is off screen' }).click();
    const card = page.locator('.card').filter({ hasText: 'Speaker 2' });
    await card.getByText(/^Speaker 2 is off screen, decided by admin, /).waitFor();
    await page.getByText('speaker 2: is off screen').waitFor();
    expect(await page.getByRole('button', { name: 'Speaker 2 is off screen', exact: true }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Suggest again' }).click();
    await page.getByText('New suggestions are ready.').waitFor();
    expect(await card.locator('.badge').textContent()).to.equal('off screen');
    await page.getByRole('button', { name: 'Take back: Speaker 2 is off screen' }).click();
    await page.getByRole('button', { name: 'Speaker 2 is off screen', exact: true }).waitFor();
    await page.getByLabel('Another face for Speaker 1').focus();
    await page.getByLabel('Another face for Speaker 1').selectOption('Face 2');
    await page.getByText('is Face 2').waitFor();
    expect(await speakerOf(video_id, 2)).to.equal(1);
    await page.getByRole('button', { name: 'Unmatch Speaker 1' }).click();
    await page.getByText('Match removed').waitFor();
    expect(await speakerOf(video_id, 2)).to.equal(null);
  });

  it('offers a choice if somebody else was faster', async () => {
    const { tab, page, video_id } = await openTalk(suite);
    // From now on the page is not notified of changes.
    await page.route('**/v2/videos/*', (route) => (route.request().method() === 'GET' ? undefined : route.continue()));
    await suite.client.videos.update(video_id, { title: 'Changed meanwhile' });
    await page.unroute('**/v2/videos/*');
    await page.route('**/decisions', async (route) => {
      await suite.client.videos.update(video_id, { title: `Changed ${Math.random()}` });
      await page.unroute('**/decisions');
      await route.continue();
    });
    await page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).click();
    await page.getByText('Somebody else changed this recording in the meantime').waitFor();
    await expectNoViolations(tab, 'conflict on a video');
    expect(await speakerOf(video_id, 1)).to.equal(null);
    await page.getByRole('button', { name: 'Save my change anyway' }).click();
    await page.getByText('is Face 1').waitFor();
    expect(await speakerOf(video_id, 1)).to.equal(1);
  });

  it('keeps inferred names with their quotes over a reload, uses them one by one, and does not charge for them again', async () => {
    const { tab, page, audio_id, video_id } = await openTalk(suite);
    const names = async () => (await suite.client.audios.get(audio_id)).speakers.map(({ name }) => name);
    await page.getByRole('button', { name: 'Estimate the cost' }).click();
    await page.getByText(/credits, for 2 speakers$/).waitFor();
    await page.getByRole('button', { name: 'Suggest names' }).click();
    await page.getByRole('button', { name: 'Use all 2 names' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Use Ada Lovelace for speaker 1' }).click();
    await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).waitFor();
    expect((await names())[0]).to.equal('Ada Lovelace');
    await page.getByText(/^“Good evening.*” at 0:10$/).waitFor();
    expect(await page.getByRole('button', { name: 'Estimate the cost' }).isDisabled()).to.equal(true);
    await page.getByLabel('Also pay for the 2 speakers with a name').check();
    expect(await page.getByRole('button', { name: 'Estimate the cost' }).isDisabled()).to.equal(false);
    await tab.open('videos');
    await tab.open(`videos/${video_id}`);
    await page.getByRole('button', { name: 'Use Grace Hopper for speaker 2' }).waitFor();
  });

  it('renames a face in place', async () => {
    const { page, video_id } = await openTalk(suite);
    await page.getByText('Faces: when each is seen').click();
    await page.getByRole('button', { name: 'Rename Face 2', exact: true }).click();
    await page.getByLabel('Name of Face 2').fill('Mary Jones');
    await page.keyboard.press('Enter');
    await page.locator('details li').filter({ hasText: 'Mary Jones is seen at' }).waitFor();
    expect((await suite.client.videos.get(video_id)).faces.map(({ name }) => name)).to.include('Mary Jones');
  });

  it('accepts all certain suggestions at once, undoes that at once, and filters and orders the cards', async () => {
    const { page, video_id } = await openTalk(suite);
    await page.getByRole('button', { name: 'Accept all above 99 % (2)' }).click();
    await page.getByText('is Face 2').waitFor();
    expect([await speakerOf(video_id, 1), await speakerOf(video_id, 2)]).to.deep.equal([1, 2]);
    await page.keyboard.press('u');
    await page.getByText('Your last change was undone.').waitFor();
    expect([await speakerOf(video_id, 1), await speakerOf(video_id, 2)]).to.deep.equal([null, null]);
    await page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).click();
    await page.getByText('is Face 1').waitFor();
    const shown = () => page.locator('.card h3 > button:first-child').allTextContents();
    expect(await shown()).to.deep.equal(['Speaker 1', 'Speaker 2']);
    await page.getByLabel('Order').selectOption('least certain first');
    expect(await shown()).to.deep.equal(['Speaker 2', 'Speaker 1']);
    await page.locator('.choose select').first().selectOption('open');
    expect(await shown()).to.deep.equal(['Speaker 2']);
    await page.locator('.choose select').first().selectOption('decided');
    expect(await shown()).to.deep.equal(['Speaker 1']);
  });

  it('draws a box with the name around each face in the picture, and says that a recording cannot be played', async () => {
    const film = await startMedia(await filmOf((await suite.signedIn()).page));
    try {
      const boxes = [{ at: 0.2, left: 0.25, top: 0.5, width: 0.5, height: 0.25 }];
      const { tab, page } = await openTalk(suite, { media_url: film.url, boxes });
      const box = page.locator('.box').filter({ hasText: 'Face 1' });
      await box.waitFor();
      const [inner, outer] = [await box.boundingBox(), await page.locator('video').boundingBox()];
      if (inner === null || outer === null) throw new Error('there is no picture');
      expect((inner.x - outer.x) / outer.width).to.be.closeTo(0.25, 0.02);
      expect(inner.height / outer.height).to.be.closeTo(0.25, 0.02);
      await pictured(tab, 'boxes');
    } finally {
      film.end();
    }
    const { page } = await openTalk(suite, { media_url: 'http://127.0.0.1:9/none.mp4' });
    await page.getByText('The recording cannot be played').waitFor();
  });

  it('plays the recording beside timeline and question on a small laptop, and jumps to a selected line', async () => {
    const media = await startMedia(40);
    try {
      const { tab, page } = await openTalk(suite, { media_url: media.url });
      const inMedia = (code: string) => page.evaluate(`((media) => ${code})(document.querySelector('video'))`);
      await expectSoon(() => inMedia('media.readyState > 0'), true);
      await page.getByRole('button', { name: '0:20', exact: true }).click();
      await expectSoon(() => inMedia('Math.round(media.currentTime)'), 20);
      await inMedia('{ media.muted = true; media.currentTime = 30; return media.play(); }');
      await page.locator('[aria-current=true]').filter({ hasText: '0:30' }).waitFor();
      await page.setViewportSize({ width: 1366, height: 768 });
      await page.getByRole('button', { name: 'Accept Face 2 for Speaker 2' }).scrollIntoViewIfNeeded();
      await page.evaluate('scrollTo(0, 200)');
      for (const selector of ['video', '.lanes', '.card']) {
        const { y = -1, height = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
        expect([y >= 0, y + height <= 768], selector).to.deep.equal([true, true]);
      }
      await pictured(tab, 'small laptop');
    } finally {
      media.end();
    }
  });
});

describe('a video of three hours in the console', function () {
  this.timeout(120_000);
  const suite = useConsole({});

  it('is shown with every face, speaker and interval; a face is found by search, and matched', async () => {
    const { faces, speakers, intervals } = longVideo;
    const video_id = await importLongVideo(suite.client);
    const tab = await suite.signedIn();
    const { page } = tab;
    await tab.open(`videos/${video_id}`);
    await page.getByRole('group', { name: /^Timeline from 0:00 to 2:5/ }).waitFor();
    await page.getByText(`${faces} faces, ${speakers} speakers`).waitFor();
    await pictured(tab, 'three hours');
    const sum =
      "[...document.querySelectorAll('table tbody tr')].reduce((sum, row) => sum + Number(row.cells[1].textContent), 0)";
    expect(await page.evaluate(sum)).to.equal(intervals);
    expect(await page.locator('.head').count()).to.equal(faces + speakers);
    await page.getByRole('searchbox', { name: 'Find a face or a speaker' }).fill('face 187');
    await page.getByText('1 of 250').waitFor();
    expect(await page.locator('.head').allTextContents()).to.deep.equal(['Face 187']);
    await page.locator('.head').click();
    await page.locator('.head').click();
    await page.locator('[aria-current=true]').filter({ hasText: '3:' }).waitFor();
    expect(await page.locator('.cards option').count(), 'faces in lists that are not opened').to.equal(speakers);
    await page.getByLabel('Another face for Speaker 49').focus();
    await page.getByLabel('Another face for Speaker 49').selectOption('Face 187');
    await page.getByText('is Face 187').waitFor();
    expect((await suite.client.videos.get(video_id)).faces.find(({ id }) => id === 187)?.speaker_id).to.equal(49);
  });
});
