import { expect } from 'chai';
import { pictured } from '../support/browser/accessibility.js';
import { expectSoon, openTalk, useConsole } from '../support/browser/console.js';
import { filmOf, startMedia } from '../support/browser/media.js';

describe('the recording of a video in the console', function () {
  this.timeout(90_000);
  const suite = useConsole({ match_worker: 'embedded' });

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

  it('keeps player, timeline and question in view together on a small laptop', async () => {
    const media = await startMedia(40);
    try {
      const { tab, page } = await openTalk(suite, { media_url: media.url });
      await page.setViewportSize({ width: 1366, height: 768 });
      await page.getByRole('button', { name: 'Accept Face 2 for Speaker 2' }).scrollIntoViewIfNeeded();
      await page.evaluate('scrollTo(0, 200)');
      const inView = async (selector: string) => {
        const box = await page.locator(selector).first().boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= 768;
      };
      for (const selector of ['video', '.lanes', '.card']) expect(await inView(selector), selector).to.equal(true);
      await pictured(tab, 'small laptop');
    } finally {
      media.end();
    }
  });

  it('plays the recording: the transcript follows it, and it jumps to a selected line', async () => {
    const media = await startMedia(40);
    try {
      const { tab, page } = await openTalk(suite, { media_url: media.url });
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
