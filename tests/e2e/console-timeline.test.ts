import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Tab, expectSoon, talkOf, useConsole } from '../support/browser/console.js';

describe('the timeline in the console', function () {
  this.timeout(90_000);
  let tab: Tab;
  let page: Page;
  let path: string;
  const suite = useConsole({ match_worker: 'embedded' }, async () => {
    const { video_id } = await talkOf(suite.client, 'A talk', {
      captions: [{ start: 1, end: 4, text: 'Bob Stone, University of Somewhere' }],
      talking: [
        { start: 0, end: 5, score: 1 },
        { start: 5, end: 10, score: 0.2 },
      ],
    });
    path = `videos/${video_id}`;
    tab = await suite.signedIn();
    ({ page } = tab);
  });
  beforeEach(async () => {
    await tab.open('account');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await tab.open(path);
    await page.getByRole('group', { name: 'Timeline from 0:00 to 0:40' }).waitFor();
  });

  /** The opacity of the canvas at each of these times, `below` pixels below its axis. */
  const paintedAt = async (below: number, ...times: ReadonlyArray<number>): Promise<ReadonlyArray<number>> => {
    const read: unknown = await page.evaluate(`(() => {
      const canvas = document.querySelector('.lanes canvas');
      const scale = canvas.width / canvas.clientWidth;
      const context = canvas.getContext('2d');
      const alpha = (time) => context.getImageData((time / 40) * canvas.width, (22 + ${below}) * scale, 1, 1).data[3];
      return ${JSON.stringify(times)}.map(alpha);
    })()`);
    return Array.isArray(read) ? read.map(Number) : [];
  };

  it('draws a face darker the more it talks, and nothing where it is not visible', async () => {
    await expectSoon(async () => (await paintedAt(16, 6)).every((alpha) => alpha > 0), true);
    const [much = 0, little = 0, silent = 0, absent] = await paintedAt(16, 4.6, 7.5, 10.6, 15.5);
    expect(much).to.be.above(little + 30);
    expect(little).to.be.above(silent + 10);
    expect(silent).to.be.above(50);
    expect(absent).to.equal(0);
  });

  it('is drawn again on a screen with another number of pixels', async () => {
    await expectSoon(async () => (await paintedAt(16, 6)).every((alpha) => alpha > 0), true);
    const screen = await page.context().newCDPSession(page);
    const metrics = { width: 1280, height: 720, mobile: false };
    await screen.send('Emulation.setDeviceMetricsOverride', { ...metrics, deviceScaleFactor: 2 });
    await page.locator('.lanes canvas').hover();
    await expectSoon(() => page.evaluate("document.querySelector('.lanes canvas').width % 2"), 0);
    await page.waitForTimeout(300);
    expect(await page.evaluate('devicePixelRatio')).to.equal(2);
    expect((await paintedAt(16, 6))[0]).to.be.above(50);
    await screen.detach();
  });

  it('draws a caption over the time that it is on the screen', async () => {
    await expectSoon(async () => (await paintedAt(5, 2)).every((alpha) => alpha === 255), true);
    expect(await paintedAt(5, 0.5, 2, 3.9, 4.5)).to.deep.equal([0, 255, 255, 0]);
  });

  const shown = async () => {
    const label = await page.getByRole('group', { name: /^Timeline/ }).getAttribute('aria-label');
    return /from (\S+) to (\S+)\./.exec(label ?? '')?.slice(1);
  };
  const placeOf = async (share: number) => {
    const box = await page.locator('.lanes canvas').boundingBox();
    if (box === null) throw new Error('there is no timeline');
    return { x: box.x + box.width * share, y: box.y + 40 };
  };

  it('moves and zooms by keys, and offers the same content as a table', async () => {
    await page.getByRole('group', { name: /^Timeline/ }).focus();
    for (const [key, ...times] of [
      ['+', '0:06', '0:33'],
      ['ArrowRight', '0:12', '0:38'],
      ['Home', '0:00', '0:26'],
      ['End', '0:13', '0:40'],
      ['ArrowLeft', '0:08', '0:34'],
      ['0', '0:00', '0:40'],
      ['+', '0:06', '0:33'],
      ['-', '0:00', '0:40'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await shown(), key).to.deep.equal(times);
    }
    await page
      .getByRole('row', { name: 'Face 1, face 2 0:00 0:22', includeHidden: true })
      .waitFor({ state: 'attached' });
  });

  it('moves and zooms by wheel and drag, and a drag does not select a time', async () => {
    const middle = await placeOf(0.5);
    await page.mouse.move(middle.x, middle.y);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -140);
    await page.keyboard.up('Control');
    await expectSoon(() => shown(), ['0:10', '0:29']);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 100_000);
    await page.keyboard.up('Shift');
    await expectSoon(() => shown(), ['0:20', '0:40']);
    const left = await placeOf(0.2);
    await page.mouse.down();
    await page.mouse.move(left.x, left.y);
    await page.mouse.up();
    expect(await page.locator('[aria-current=true]').textContent()).to.include('Ada Lovelace');
    await page.mouse.click(left.x, left.y);
    await page.locator('[aria-current=true]').filter({ hasNotText: 'Ada Lovelace' }).waitFor();
  });

  it('zooms with two fingers', async () => {
    const { x, y } = await placeOf(0.5);
    const touch = await page.context().newCDPSession(page);
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number | null) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: apart === null ? [] : [-1, 1].map((side, id) => ({ id, x: x + side * apart, y })),
      });
    await fingers('touchStart', 40);
    for (let apart = 45; apart <= 80; apart += 5) await fingers('touchMove', apart);
    await fingers('touchEnd', null);
    await expectSoon(async () => (await shown())?.join() !== '0:00,0:40', true);
  });
});
