import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Box, MediaAnalysis } from '../../../adapters/client/index.js';
import { compilePart } from '../client/type-script.js';
import { isLongForm } from '../long-form.js';
import type { Config } from '../../../adapters/config/config.js';
import { type World, startWorld } from '../world.js';
import { chromiumProgram, howToGetChromium, launchBrowser } from './chromium.js';
import { needs } from './program.js';

const example = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../docs/examples/client/${file}`, import.meta.url)), 'utf8');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Compiles the console for a suite; skips the suite if Chromium is not installed. */
export const needsConsole = (context: Mocha.Context): void => {
  needs(context, chromiumProgram, 'Chromium', howToGetChromium);
  compilePart('adapters/console');
};

interface StartedConsole {
  readonly world: World;
  readonly browser: Browser;
}

/**
 * Starts a service and a browser before the tests of a `describe`, then calls `prepare`, and ends both after the tests.
 * Skips the suite if Chromium is not installed.
 */
export const useConsole = (config: Partial<Config>, prepare: (started: StartedConsole) => unknown): void => {
  let world: World | null = null;
  let browser: Browser | null = null;
  before(async function () {
    needsConsole(this);
    world = await startWorld(config);
    browser = await launchBrowser();
    await prepare({ world, browser });
  });
  after(async () => {
    await browser?.close();
    await world?.end();
  });
};

/** A tab with the console, and all policy violations and script errors in it. */
export interface Tab {
  readonly page: Page;
  readonly complaints: ReadonlyArray<string>;
  readonly open: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const adminOf = (world: World): MediaAnalysis =>
  new MediaAnalysis({ baseUrl: world.url(), apiKey: world.adminKey });

/** A tab whose list of complaints can be cleared. */
interface OpenTab extends Tab {
  readonly complaints: string[];
}

/** The default size of a page. */
const usualSize = { width: 1280, height: 720 };

/** Opens a page of the service in a new tab, by default the console without signing in. `prepare` runs before the page loads. */
export const tabOf = async (
  browser: Browser,
  world: World,
  path = '/console/',
  options: BrowserContextOptions = {},
  prepare: (page: Page) => unknown = () => undefined,
): Promise<OpenTab> => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: usualSize, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    // Only media are on other origins.
    if (!request.url().startsWith(world.url()) && request.resourceType() !== 'media')
      complaints.push(`request to another origin: ${request.url()}`);
  });
  await prepare(page);
  await page.goto(world.url() + path);
  return {
    page,
    complaints,
    open: async (path) => {
      await page.evaluate(`location.replace(${JSON.stringify(`#/${path}`)})`);
    },
    close: () => context.close(),
  };
};

export const signInOn = async ({ page }: Tab, world: World, key = world.adminKey): Promise<void> => {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Videos' }).waitFor();
};

type SignedInOptions = BrowserContextOptions & { readonly key?: string };

/** Signed-in tabs that no test uses now, by the options that they were opened with. */
const idle = new WeakMap<Browser, Map<string, OpenTab[]>>();

const idleOf = (browser: Browser, openedWith: string): OpenTab[] => {
  const tabs = idle.get(browser) ?? new Map<string, OpenTab[]>();
  idle.set(browser, tabs);
  const alike = tabs.get(openedWith) ?? [];
  tabs.set(openedWith, alike);
  return alike;
};

/** Loads the page as after signing in, in a tab that another test has used. */
const loadAnew = async ({ page, complaints, open }: OpenTab): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize(usualSize);
  await open('videos');
  complaints.length = 0;
  await page.evaluate("sessionStorage.removeItem('media-analysis-answers')");
  await page.reload();
  await page.getByRole('heading', { name: 'Videos' }).waitFor();
};

/**
 * A signed-in tab. The tests of a file share it, and each loads it again: a new one takes eight times as much
 * processor time.
 */
export const signedIn = async (browser: Browser, world: World, options: SignedInOptions = {}): Promise<Tab> => {
  const { key, ...context } = options;
  const tabs = idleOf(browser, JSON.stringify([world.url(), options]));
  const used = tabs.pop();
  const tab = used ?? (await tabOf(browser, world, '/console/', context));
  if (used === undefined) await signInOn(tab, world, key);
  else await loadAnew(used);
  return {
    ...tab,
    close: async () => {
      const isSignedIn = await tab.page.evaluate('sessionStorage.length > 0');
      if (isSignedIn === true) tabs.push(tab);
      else await tab.close();
    },
  };
};

export interface Talk {
  readonly captions?: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }>;
  readonly talking?: ReadonlyArray<{ readonly start: number; readonly end: number; readonly score: number }>;
  readonly media_url?: string;
  readonly boxes?: ReadonlyArray<Box>;
}

const facesOfTalk = [
  {
    id: 1,
    tracks: [
      { start: 0, end: 11 },
      { start: 19, end: 30 },
    ],
  },
  {
    id: 2,
    tracks: [
      { start: 10, end: 20 },
      { start: 29, end: 40 },
    ],
  },
];

/** A video of two people who talk, analysed, with suggestions; captions are near the first face, which talks. */
export const talkOf = async (
  client: MediaAnalysis,
  title = 'A talk',
  { captions = [], talking = [], boxes = [], media_url }: Talk = {},
) => {
  const { video_id } = await client.videos.create(media_url === undefined ? { title } : { title, media_url });
  const { audio_id } = await client.audios.create({ video_id });
  await client.videos.recordAnalysis(video_id, {
    status: 'completed',
    faces: facesOfTalk.map((face) => (face.id === 1 ? { ...face, captions, talking, boxes } : face)),
  });
  await client.audios.recordAnalysis(audio_id, example('talk.json'));
  await client.runs.wait(await client.matches.suggest(video_id));
  return { video_id, audio_id };
};

/** The page of a new talk in a signed-in tab. */
export const openTalk = async (browser: Browser, world: World, talk: Talk = {}) => {
  const ids = await talkOf(adminOf(world), 'A talk', talk);
  const tab = await signedIn(browser, world);
  await tab.open(`videos/${ids.video_id}`);
  await tab.page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).waitFor();
  return { ...ids, tab, page: tab.page };
};

/** What axe finds on the current page. */
export const violationsOf = async (page: Page): Promise<unknown> => {
  if ((await page.evaluate('window.axe === undefined')) === true) await page.evaluate(axe);
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
  );
};

const looks = {
  light: { colorScheme: 'light', width: 1280, height: 900 },
  dark: { colorScheme: 'dark', width: 1280, height: 900 },
  'on a phone': { colorScheme: 'light', width: 390, height: 844 },
  'at 200 %': { colorScheme: 'light', width: 640, height: 400 },
} as const;

/** The folder for screenshots; without it none are taken. */
const album = process.env['PICTURES'];

/** All looks in the long form and for screenshots; in the short form the first, and a random other one. */
const looksNow = () => {
  const all = Object.entries(looks);
  const other = 1 + Math.floor(Math.random() * (all.length - 1));
  return isLongForm || album !== undefined ? all : all.filter((_, at) => at === 0 || at === other);
};

/** With `PICTURES=<folder>` a screenshot of the current page is written there. */
export const pictured = async ({ page }: Tab, name: string): Promise<void> => {
  if (album !== undefined) await page.screenshot({ path: join(album, `${name}.png`), fullPage: true });
};

/**
 * Checks, for each look, that axe finds no accessibility faults, that there is no horizontal scrolling and that nothing
 * moves. With `PICTURES=<folder>` a screenshot of each look is written there.
 */
export const expectNoViolations = async ({ page }: Tab, name = 'page'): Promise<void> => {
  for (const [look, { colorScheme, width, height }] of looksNow()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    if (album !== undefined) await page.screenshot({ path: join(album, `${name} ${look}.png`), fullPage: true });
    expect(await violationsOf(page), `${name} ${look}`).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), `${name} ${look}`).to.be.at.most(
      0,
    );
    expect(await page.evaluate(moving), `${name} ${look} moves`).to.deep.equal([]);
  }
  await page.setViewportSize(looks.light);
};

const moving = `[...document.querySelectorAll('*')].filter((one) => {
  const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
  return one.checkVisibility() && (transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior === 'smooth');
}).map((one) => one.outerHTML)`;

const controls = `(() => {
  document.activeElement?.blur();
  scrollTo(0, 0);
  const all = document.querySelectorAll('a[href], button, input, select, summary, video, [tabindex="0"]');
  window.left = new Set([...all].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility()));
  return window.left.size;
})()`;

const reached = `(() => {
  const one = document.activeElement;
  window.left.delete(one);
  const isSeen = one === document.body || getComputedStyle(one).outlineStyle !== 'none';
  return { unseen: isSeen ? null : one.outerHTML, left: window.left.size };
})()`;

const Reached = t.type({ unseen: t.union([t.string, t.null]), left: t.number });

/** Checks that Tab reaches every control of the page, and that each shows its focus. */
export const expectReachable = async ({ page }: Tab, name: string): Promise<void> => {
  const count = Number(await page.evaluate(controls));
  expect(count, name).to.be.greaterThan(2);
  for (let presses = count + 40, isDone = false; presses > 0 && !isDone; presses -= 1) {
    await page.keyboard.press('Tab');
    const at: unknown = await page.evaluate(reached);
    if (!Reached.is(at)) throw new Error('the page does not report what has the focus');
    expect(at.unseen, `${name}: the focus is not to be seen`).to.equal(null);
    isDone = at.left === 0;
  }
  expect(await page.evaluate('[...window.left].map((one) => one.outerHTML)'), name).to.deep.equal([]);
};

/** Reads repeatedly until the value is as expected, for what the page draws in its next frame. */
export const expectSoon = async (read: () => Promise<unknown>, wanted: unknown): Promise<void> => {
  for (let left = 40; left > 0 && JSON.stringify(await read()) !== JSON.stringify(wanted); left -= 1)
    await new Promise((resume) => setTimeout(resume, 50));
  expect(await read()).to.deep.equal(wanted);
};
