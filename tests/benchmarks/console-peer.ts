import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { chromiumProgram, howToGetChromium, launchBrowser } from '../support/browser/chromium.js';
import { adminOf, signedIn, talkOf } from '../support/browser/console.js';
import { compilePart } from '../support/client/type-script.js';
import { type World, startWorld } from '../support/world.js';
import { median, quick } from './support/figures.js';

/**
 * The console against its peer, the plain page of the guide (docs/examples/review-page.html), on the same service: 30
 * questions by keyboard, first paint with an empty cache and what it takes, and how soon each page is of use. `--quick` asks four.
 */
const videos = quick ? 2 : 15;
const questions = 2 * videos;
const visits = quick ? 1 : 9;

const servePlainPage = async () => {
  const file = readFileSync(fileURLToPath(new URL('../../../docs/examples/review-page.html', import.meta.url)));
  const server = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(file));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/`, end: () => void server.close() };
};

/** What a browser loaded before its first paint; the depth is the longest chain of files that name each other. */
const loaded = `(() => {
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const before = entries.filter(({ requestStart }) => requestStart <= paint.startTime);
  return [paint.startTime, before.length, before.reduce((sum, one) => sum + one.transferSize, 0)];
})()`;

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number');

/** First paint with an empty cache, the appearance of the key field, and the requests and work until then. */
const visit = async (browser: Browser, url: string, field: string) => {
  const paints: number[] = [];
  const works: number[] = [];
  let [requests, bytes] = [0, 0];
  for (let left = visits; left > 0; left -= 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(url);
    await page.locator(field).waitFor();
    const { metrics } = await session.send('Performance.getMetrics');
    works.push(1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0));
    const timings: unknown = await page.evaluate(loaded);
    if (!isNumbers(timings)) throw new Error('the page reports no load times');
    const [paint = NaN] = timings;
    [, requests = 0, bytes = 0] = timings;
    paints.push(paint);
    await context.close();
  }
  return { paint: median(paints), work: median(works), requests, bytes };
};

/** Texts that show that a page is usable. */
const marks = {
  videos: '2 suggested',
  review: 'Who is Speaker',
  account: 'Balance',
  realtime: 'Start',
  audit: 'Store and read models',
} as const;

/** In the page: when a text is visible, in milliseconds since the page was requested. */
const whenThere = (text: string): string => `new Promise((done) => {
  const look = () =>
    document.body.innerText.includes(${JSON.stringify(text)}) ? done(performance.now()) : requestAnimationFrame(look);
  look();
})`;

/** Time until a reloaded page is usable, when signed in. */
const pagesOf = async (browser: Browser, world: World): Promise<string> => {
  const { page, open, close } = await signedIn(browser, world);
  const lines: string[] = [];
  for (const [path, mark] of Object.entries(marks)) {
    await open(path);
    const times: number[] = [];
    for (let left = visits; left > 0; left -= 1) {
      await page.reload();
      times.push(Number(await page.evaluate(whenThere(mark))));
    }
    lines.push(`${path} ${median(times).toFixed(0)} ms`);
  }
  await close();
  return lines.join(', ');
};

const fill = async (world: World): Promise<void> => {
  for (let at = 0; at < videos; at += 1) await talkOf(adminOf(world), `Talk ${at}`);
};

const decided = async (world: World): Promise<number> => {
  let sum = 0;
  for await (const { video_id } of adminOf(world).videos.list())
    sum += (await adminOf(world).decisions.list(video_id)).decisions.length;
  return sum;
};

/** Answers all questions. Returns the number of keys, and the milliseconds until the next question was visible. */
const answerAll = async (page: Page, answer: (at: number) => Promise<number>) => {
  const began = performance.now();
  let keys = 0;
  for (let at = 0; at < questions; at += 1) {
    keys += await answer(at);
    await page.getByText(`${at + 1} answered`, { exact: true }).waitFor();
  }
  await page.getByText('No open questions.').waitFor();
  return { keys, ms: performance.now() - began };
};

const inConsole = async (browser: Browser, world: World) => {
  const { page, open, close } = await signedIn(browser, world);
  await open('review');
  await page.getByRole('heading', { name: /^Who is/ }).waitFor();
  const used = await answerAll(page, async () => {
    await page.getByRole('heading', { name: /^Who is/ }).waitFor();
    await page.keyboard.press('1');
    return 1;
  });
  for (let left = 100; left > 0 && (await decided(world)) < questions; left -= 1) await page.waitForTimeout(100);
  if ((await decided(world)) !== questions) throw new Error('the console lost answers');
  await close();
  return used;
};

const isFirstFocused = "document.activeElement === document.querySelector('#answers button')";

const inPlainPage = async (browser: Browser, world: World, url: string) => {
  const page = await browser.newPage();
  await page.goto(url);
  await page.locator('#service').fill(world.url());
  await page.locator('#key').fill(world.adminKey);
  await page.keyboard.press('Enter');
  const first = page.locator('#answers button').first();
  await first.waitFor();
  const used = await answerAll(page, async () => {
    let keys = 1;
    // Nothing on the page has the focus after new answers are shown: the first of them gets it.
    while (keys < 50 && !(await page.evaluate(isFirstFocused))) {
      await page.keyboard.press('Tab');
      keys += 1;
    }
    await page.keyboard.press('Enter');
    return keys;
  });
  if ((await decided(world)) !== questions) throw new Error('the plain page lost answers');
  await page.close();
  return used;
};

if (chromiumProgram === null) throw new Error(`there is no Chromium here: ${howToGetChromium}`);
compilePart('adapters/console');
const browser = await launchBrowser();
const plain = await servePlainPage();
for (const peer of ['console', 'plain page'] as const) {
  const world = await startWorld({ match_worker: 'embedded', cors_allowed_origins: ['*'] });
  await fill(world);
  const isConsole = peer === 'console';
  const { paint, work, requests, bytes } = isConsole
    ? await visit(browser, `${world.url()}/console/`, '#key')
    : await visit(browser, plain.url, '#key');
  if (isConsole) console.log(`of use after: ${await pagesOf(browser, world)}`);
  const { keys, ms } = isConsole ? await inConsole(browser, world) : await inPlainPage(browser, world, plain.url);
  console.log(
    `${peer}: ${questions} questions with ${keys} keys, ${(ms / questions).toFixed(0)} ms a question; first paint ${paint.toFixed(0)} ms, ${work.toFixed(0)} ms of work, ${requests} requests, ${(bytes / 1_000).toFixed(1)} kB; load ${loadavg()[0]?.toFixed(1)}`,
  );
  await world.end();
}
plain.end();
await browser.close();
process.exit(0);
