import type { Browser } from 'playwright-core';
import { chromiumProgram, howToGetChromium, launchBrowser } from '../support/browser/chromium.js';
import { adminOf, signedIn } from '../support/browser/console.js';
import { importLongVideo, longVideo } from '../support/browser/long-video.js';
import { startWorld } from '../support/world.js';
import { median, percentile, quick } from './support/figures.js';

/**
 * The console on a video of three hours with 200 faces, 50 speakers and 20,000 intervals: how long a frame takes while the
 * timeline is panned, and how soon a page is there. `--quick` pans less.
 */
const frames = quick ? 60 : 600;
const { hours, faces, speakers, intervals } = longVideo;

/** In the page: turns the wheel before each frame, and records the duration of the next one. */
const panning = `new Promise((done) => {
  const canvas = document.querySelector('.lanes canvas');
  const times = [];
  let before = performance.now();
  let left = ${frames};
  const step = (now) => {
    times.push(now - before);
    before = now;
    if ((left -= 1) === 0) return done(times.slice(5));
    const x = canvas.getBoundingClientRect().left + 300;
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaX: left % 200 < 100 ? 12 : -12, clientX: x, cancelable: true }));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

const isTimes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number');

const measured = async (browser: Browser): Promise<void> => {
  const world = await startWorld();
  const video_id = await importLongVideo(adminOf(world));
  const { page, open, close } = await signedIn(browser, world);
  await page.reload();
  await page.getByRole('heading', { name: 'Videos' }).waitFor();
  const paint: unknown = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  const start = performance.now();
  await open(`videos/${video_id}`);
  await page.getByRole('group', { name: 'Timeline from 0:00 to 2:5' }).waitFor();
  const shown = performance.now() - start;
  await page.getByRole('group', { name: /^Timeline/ }).focus();
  for (let at = 0; at < 4; at += 1) await page.keyboard.press('+');
  const times: unknown = await page.evaluate(panning);
  if (!isTimes(times)) throw new Error('no frames were measured');
  console.log(`first contentful paint: ${Math.round(Number(paint))} ms`);
  console.log(
    `a video of ${hours} h, ${faces} faces, ${speakers} speakers, ${intervals} intervals: timeline after ${Math.round(shown)} ms`,
  );
  console.log(`panning: median frame ${median(times).toFixed(1)} ms, 95 % ${percentile(times, 95).toFixed(1)} ms`);
  await close();
  await world.end();
};

if (chromiumProgram === null) throw new Error(`there is no Chromium here: ${howToGetChromium}`);
const browser = await launchBrowser('--disable-gpu');
try {
  await measured(browser);
} finally {
  await browser.close();
}
process.exit(0);
