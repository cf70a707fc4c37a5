import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { chromiumProgram, howToGetChromium, launchBrowser } from '../support/browser/chromium.js';
import { type Tab, type Talk, adminOf, expectSoon, signedIn, talkOf } from '../support/browser/console.js';
import { startMedia } from '../support/browser/media.js';
import { needs } from '../support/browser/program.js';
import { compilePart } from '../support/client/type-script.js';
import { type World, startWorld } from '../support/world.js';

describe('a video in the console', function () {
  this.timeout(90_000);
  let world: World;
  let browser: Browser;
  let tab: Tab;
  before(async function () {
    needs(this, chromiumProgram, 'Chromium', howToGetChromium);
    compilePart('adapters/console');
    world = await startWorld({ match_worker: 'embedded' });
    const { account_id } = await adminOf(world).me.get();
    await adminOf(world).credits.add(account_id, { amount: 100, reason: 'a test' });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await world?.end();
  });
  afterEach(async () => {
    await tab?.close();
  });

  const opened = async (talk: Talk = {}) => {
    const ids = await talkOf(adminOf(world), 'A talk', talk);
    tab = await signedIn(browser, world);
    await tab.open(`videos/${ids.video_id}`);
    await tab.page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).waitFor();
    return { ...ids, page: tab.page };
  };
  const speakerOf = async (video_id: string, face: number) =>
    (await adminOf(world).videos.get(video_id)).faces.find(({ id }) => id === face)?.speaker_id;

  it('accepts a suggestion, undoes it with a key, and rejects it', async () => {
    const { page, video_id } = await opened();
    await page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).click();
    await page.getByText('is Face 1').waitFor();
    expect(await speakerOf(video_id, 1)).to.equal(1);
    await page.getByText('face 1: speaker none → 1').waitFor();
    await page.keyboard.press('u');
    await page.getByText('Your last change was undone.').waitFor();
    expect(await speakerOf(video_id, 1)).to.equal(null);
    await page.getByRole('button', { name: 'Reject Face 1 for Speaker 1' }).click();
    await page.getByText('Links decided').first().waitFor();
    const { decisions } = await adminOf(world).decisions.list(video_id);
    expect(decisions.map(({ verdict, face_id }) => [verdict, face_id])).to.deep.equal([['rejected', 1]]);
    expect(tab.complaints).to.deep.equal([]);
  });

  it('says that a speaker is not to be seen, matches another face, and takes a match away', async () => {
    const { page, video_id } = await opened();
    await page.getByRole('button', { name: 'Speaker 2 is not to be seen' }).click();
    await page.getByText('Links decided').waitFor();
    await page.getByLabel('Another face for Speaker 1').selectOption('Face 2');
    await page.getByText('is Face 2').waitFor();
    expect(await speakerOf(video_id, 2)).to.equal(1);
    await page.getByRole('button', { name: 'Unmatch Speaker 1' }).click();
    await page.getByText('Face unmatched').waitFor();
    expect(await speakerOf(video_id, 2)).to.equal(null);
  });

  it('tells what an undo would do, and undoes any change of the history', async () => {
    const { page, video_id } = await opened();
    await page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).click();
    await page.getByRole('button', { name: 'What would undo do? Links decided' }).click();
    await page.getByText(/face 1 \(speaker.*would be put back/).waitFor();
    await page.getByRole('button', { name: 'Undo Links decided' }).click();
    await page.getByText('Video change reverted').waitFor();
    expect(await speakerOf(video_id, 1)).to.equal(null);
  });

  it('shows within a second or so what others change', async () => {
    const { page, video_id } = await opened();
    await adminOf(world).faces.rename(video_id, [{ face_id: 1, name: 'Somebody' }]);
    await page.getByText('may be Somebody').waitFor({ timeout: 3_000 });
  });

  it('gives a choice where somebody else was faster', async () => {
    const { page, video_id } = await opened();
    // From now on the page does not hear of changes.
    await page.route('**/v2/videos/*', (route) => (route.request().method() === 'GET' ? undefined : route.continue()));
    await adminOf(world).videos.update(video_id, { title: 'Changed meanwhile' });
    await page.unroute('**/v2/videos/*');
    await page.route('**/decisions', async (route) => {
      await adminOf(world).videos.update(video_id, { title: `Changed ${Math.random()}` });
      await page.unroute('**/decisions');
      await route.continue();
    });
    await page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).click();
    await page.getByText('Somebody changed this video in the meantime').waitFor();
    expect(await speakerOf(video_id, 1)).to.equal(null);
    await page.getByRole('button', { name: 'Do it all the same' }).click();
    await page.getByText('is Face 1').waitFor();
    expect(await speakerOf(video_id, 1)).to.equal(1);
  });

  it('infers names: what they may cost, what was found, what it did cost', async () => {
    const { page } = await opened();
    await page.getByRole('button', { name: 'What would it cost?' }).click();
    await page.getByRole('button', { name: 'Infer and write them' }).click();
    await page.getByText(/1\.\d+ credits were charged\./).waitFor();
    await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).waitFor();
    await page.locator('mark').first().waitFor();
  });

  it('moves and zooms its timeline by keys, and tells it as a table', async () => {
    const { page } = await opened();
    const timeline = page.getByRole('group', { name: /^Timeline/ });
    const shown = () =>
      timeline.getAttribute('aria-label').then((label) => /from (\S+) to (\S+)\./.exec(label ?? '')?.slice(1));
    await page.getByRole('group', { name: 'Timeline from 0:00 to 0:40' }).waitFor();
    await timeline.focus();
    const steps = [
      ['+', ['0:06', '0:33']],
      ['ArrowRight', ['0:12', '0:38']],
      ['Home', ['0:00', '0:26']],
      ['End', ['0:13', '0:40']],
      ['ArrowLeft', ['0:08', '0:34']],
      ['0', ['0:00', '0:40']],
    ] as const;
    for (const [key, times] of steps) {
      await page.keyboard.press(key);
      expect(await shown(), key).to.deep.equal([...times]);
    }
    await page.keyboard.press('+');
    await page.keyboard.press('-');
    expect(await shown()).to.deep.equal(['0:00', '0:40']);
    await page
      .getByRole('row', { name: 'Face 1, face 2 0:00 0:22', includeHidden: true })
      .waitFor({ state: 'attached' });
  });

  const shownOf = async (page: Page) => {
    const label = await page.getByRole('group', { name: /^Timeline/ }).getAttribute('aria-label');
    return /from (\S+) to (\S+)\./.exec(label ?? '')?.slice(1);
  };
  const placeOf = async (page: Page, share: number) => {
    const box = await page.locator('.lanes canvas').boundingBox();
    if (box === null) throw new Error('there is no timeline');
    return { x: box.x + box.width * share, y: box.y + 40 };
  };

  it('moves and zooms its timeline by wheel and drag, and a drag chooses no time', async () => {
    const { page } = await opened();
    const middle = await placeOf(page, 0.5);
    await page.mouse.move(middle.x, middle.y);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -140);
    await page.keyboard.up('Control');
    await expectSoon(() => shownOf(page), ['0:10', '0:29']);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 100_000);
    await page.keyboard.up('Shift');
    await expectSoon(() => shownOf(page), ['0:20', '0:40']);
    const left = await placeOf(page, 0.2);
    await page.mouse.down();
    await page.mouse.move(left.x, left.y);
    await page.mouse.up();
    expect(await page.locator('[aria-current=true]').textContent()).to.include('Ada Lovelace');
    await page.mouse.click(left.x, left.y);
    await page.locator('[aria-current=true]').filter({ hasNotText: 'Ada Lovelace' }).waitFor();
  });

  it('zooms its timeline with two fingers', async () => {
    const { page } = await opened();
    const { x, y } = await placeOf(page, 0.5);
    const touch = await page.context().newCDPSession(page);
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number | null) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: apart === null ? [] : [-1, 1].map((side, id) => ({ id, x: x + side * apart, y })),
      });
    await fingers('touchStart', 40);
    for (let apart = 45; apart <= 80; apart += 5) await fingers('touchMove', apart);
    await fingers('touchEnd', null);
    const [from = '', to = ''] = (await shownOf(page)) ?? [];
    expect([from, to]).to.not.deep.equal(['0:00', '0:40']);
  });

  it('plays the recording in step: the transcript follows it, and it goes where one looks', async () => {
    const media = await startMedia(40);
    try {
      const { page } = await opened({ media_url: media.url });
      const inMedia = (code: string) => page.evaluate(`((media) => ${code})(document.querySelector('video'))`);
      await expectSoon(() => inMedia('media.readyState > 0'), true);
      await page.getByRole('button', { name: '0:20', exact: true }).click();
      await expectSoon(() => inMedia('Math.round(media.currentTime)'), 20);
      await inMedia('{ media.muted = true; media.currentTime = 30; return media.play(); }');
      await page.locator('[aria-current=true]').filter({ hasText: '0:30' }).waitFor();
      expect(await inMedia('media.currentTime >= 30 && !media.paused')).to.equal(true);
      expect(tab.complaints).to.deep.equal([]);
    } finally {
      media.end();
    }
  });
});
