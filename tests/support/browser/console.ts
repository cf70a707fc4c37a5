import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Box, MediaAnalysis } from '../../../adapters/client/index.js';
import type { Config } from '../../../adapters/config/config.js';
import { type World, startWorld } from '../world.js';
import { chromiumProgram, howToGetChromium, launchBrowser } from './chromium.js';
import { needs } from './program.js';

const example = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../docs/examples/client/${file}`, import.meta.url)), 'utf8');

/** Compiles the console for a suite; skips the suite if Chromium is not installed. */
export const needsConsole = (context: Mocha.Context): void =>
  needs(context, chromiumProgram, 'Chromium', howToGetChromium);

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

/** What a browser says of a request that is refused, or not answered: tests cause both. */
const isRefusal = /^Failed to load resource: (?:net::|the server responded with a status of (?:4|503))/;

/** The default size of a page. */
const usualSize = { width: 1280, height: 720 };

/** Opens a page of the service in a new tab, by default the console without signing in. */
const tabOf = async (
  browser: Browser,
  world: World,
  path = '/console/',
  options: BrowserContextOptions = {},
): Promise<OpenTab> => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: usualSize, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const origin = world.url();
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal.test(message.text())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    // Only media are on other origins.
    if (!request.url().startsWith(origin) && request.resourceType() !== 'media')
      complaints.push(`request to another origin: ${request.url()}`);
  });
  await page.goto(origin + path);
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
  let isClosed = false;
  return {
    ...tab,
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      const isSignedIn = await tab.page.evaluate('sessionStorage.length > 0');
      if (isSignedIn === true) tabs.push(tab);
      else await tab.close();
    },
  };
};

/** The service and the browser of a `describe`, and tabs that are closed after each test. */
export interface Suite {
  readonly world: World;
  /** With the administrator's key. */
  readonly client: MediaAnalysis;
  /** By default with the console, not signed in. */
  readonly tabOf: (path?: string) => Promise<Tab>;
  readonly signedIn: (options?: SignedInOptions) => Promise<Tab>;
}

/**
 * Starts a service and a browser before the tests of a `describe`, then calls `prepare`, and ends both after the tests.
 * Tabs are closed after the test that opens them; those that `prepare` opens stay. Complaints of any of them fail the
 * test. Skips the suite if Chromium is not installed.
 */
export const useConsole = (
  config: Partial<Config>,
  prepare: () => unknown = () => undefined,
  launch = launchBrowser,
): Suite => {
  let started: (Pick<Suite, 'world' | 'client'> & { readonly browser: Browser }) | null = null;
  const opened: Tab[] = [];
  const kept: Tab[] = [];
  const running = () => {
    if (started === null) throw new Error('the service is not started yet');
    return started;
  };
  before(async function () {
    needsConsole(this);
    const world = await startWorld(config);
    started = { world, browser: await launch(), client: adminOf(world) };
    await prepare();
    kept.push(...opened.splice(0));
  });
  afterEach(async () => {
    const complaints = [...kept, ...opened].flatMap((tab) => tab.complaints);
    for (const tab of opened.splice(0)) await tab.close();
    expect(complaints).to.deep.equal([]);
  });
  after(async () => {
    await started?.browser.close();
    await started?.world.end();
  });
  return {
    get world() {
      return running().world;
    },
    get client() {
      return running().client;
    },
    tabOf: async (path) => {
      const tab = await tabOf(running().browser, running().world, path);
      opened.push(tab);
      return tab;
    },
    signedIn: async (options = {}) => {
      const tab = await signedIn(running().browser, running().world, options);
      opened.push(tab);
      return tab;
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
export const openTalk = async (suite: Suite, talk: Talk = {}) => {
  const ids = await talkOf(suite.client, 'A talk', talk);
  const tab = await suite.signedIn();
  await tab.open(`videos/${ids.video_id}`);
  await tab.page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).waitFor();
  return { ...ids, tab, page: tab.page };
};

/** Reads repeatedly until the value is as expected, for what the page draws in its next frame. */
export const expectSoon = async (read: () => Promise<unknown>, wanted: unknown): Promise<void> => {
  for (let left = 40; left > 0 && JSON.stringify(await read()) !== JSON.stringify(wanted); left -= 1)
    await new Promise((resume) => setTimeout(resume, 50));
  expect(await read()).to.deep.equal(wanted);
};
