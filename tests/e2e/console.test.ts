import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { chromiumProgram, howToGetChromium, launchBrowser } from '../support/browser/chromium.js';
import { type Tab, adminOf, expectSoon, signInOn, signedIn, tabOf, talkOf } from '../support/browser/console.js';
import { needs } from '../support/browser/program.js';
import { compilePart } from '../support/client/type-script.js';
import { type World, startWorld } from '../support/world.js';

describe('the console', function () {
  this.timeout(90_000);
  let world: World;
  let browser: Browser;
  let tab: Tab;
  before(async function () {
    needs(this, chromiumProgram, 'Chromium', howToGetChromium);
    compilePart('adapters/console');
    world = await startWorld({ match_worker: 'embedded' });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await world?.end();
  });
  afterEach(async () => {
    await tab?.close();
  });
  const keysOf = async () =>
    (await adminOf(world).keys.list('admin').toArray()).filter(({ label }) => label === 'console');

  it('refuses a wrong key in words', async () => {
    tab = await tabOf(browser, world);
    await tab.page.getByLabel('API key').fill('wrong');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('alert').filter({ hasText: 'Missing or invalid API key' }).waitFor();
  });

  it('works with a key of its own, for this tab alone, until it signs out', async () => {
    tab = await signedIn(browser, world);
    const [key] = (await keysOf()).filter(({ revoked_at }) => revoked_at === null);
    expect(Date.parse(key?.expires_at ?? '') - Date.now()).to.be.within(7 * 3_600_000, 8 * 3_600_000);
    expect(await tab.page.evaluate('Object.values(sessionStorage).length')).to.equal(1);
    expect(await tab.page.evaluate('Object.values(sessionStorage).includes("admin-key-of-the-tests")')).to.equal(false);
    expect(await tab.page.evaluate('localStorage.length + document.cookie.length')).to.equal(0);
    await tab.page.reload();
    await tab.page.getByRole('heading', { name: 'Videos' }).waitFor();
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await tab.page.getByText('the key of this tab is revoked').waitFor();
    expect((await keysOf()).filter(({ revoked_at }) => revoked_at === null)).to.deep.equal([]);
    expect(await tab.page.evaluate('sessionStorage.length')).to.equal(0);
    expect(tab.complaints).to.deep.equal([]);
  });

  it('is small, and served under a strict policy', async () => {
    const paths = new Set<string>();
    tab = await tabOf(browser, world, '/console/', {}, (page) =>
      page.on('request', (request) => /\.m?js$/.test(request.url()) && paths.add(request.url())),
    );
    const page = await fetch(`${world.url()}/console/`);
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).to.include("default-src 'self'").and.include("require-trusted-types-for 'script'");
    expect(policy).to.not.match(/unsafe|\*/);
    // All pages are at hand before anybody has signed in: Audit is the last of them.
    await expectSoon(async () => [...paths].some((path) => path.endsWith('audit/seals.js')), true);
    const scripts = await Promise.all([...paths].map(async (path) => (await fetch(path)).arrayBuffer()));
    const bytes = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0);
    expect(scripts.length).to.be.greaterThan(40);
    expect(bytes).to.be.below(60_000);
    expect(tab.complaints).to.deep.equal([]);
  });

  it('asks for a key before anything else is there: nothing that was not named beside its page', async () => {
    const named = new Set(
      (await (await fetch(`${world.url()}/console/`)).text()).match(/(?<=modulepreload" href=")[^"]+/g),
    );
    expect(named.size).to.be.within(5, 12);
    const { page } = (tab = await tabOf(browser, world, '/console/', {}, (fresh) =>
      fresh.route('**/*.js', (route) =>
        named.has(new URL(route.request().url()).pathname) ? route.continue() : undefined,
      ),
    ));
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).to.equal(true);
  });

  it('says so where a page cannot be loaded, and loads it anew', async () => {
    const { page } = (tab = await tabOf(browser, world, '/console/', {}, (fresh) =>
      fresh.route('**/realtime.js', (route) => route.abort()),
    ));
    await signInOn(tab, world);
    await tab.open('realtime');
    await page.getByRole('alert').filter({ hasText: 'This page could not be loaded' }).waitFor();
    await page.unroute('**/realtime.js');
    await page.getByRole('button', { name: 'Load it anew' }).click();
    await page.getByRole('heading', { name: 'Realtime' }).waitFor();
  });

  it('lists, filters and opens videos', async () => {
    const client = adminOf(world);
    await talkOf(client, 'The first talk');
    await client.videos.create({ title: 'Something else' });
    tab = await signedIn(browser, world);
    const { page } = tab;
    await page.getByRole('link', { name: 'Something else' }).waitFor();
    await page.getByRole('searchbox', { name: 'Title' }).fill('first');
    await page.getByRole('link', { name: 'Something else' }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /The first talk completed 2 0 2 suggested/ }).waitFor();
    await client.videos.create({ title: 'Another first one' });
    await page.getByRole('link', { name: 'Another first one' }).waitFor({ timeout: 3_000 });
    await page.getByRole('link', { name: 'The first talk' }).click();
    await page.getByRole('heading', { name: 'The first talk', level: 1 }).waitFor();
    expect(tab.complaints).to.deep.equal([]);
  });

  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  const turns = (name: string) =>
    file(name, 'SPEAKER a 1 0.0 2.0 <NA> <NA> one <NA> <NA>\nSPEAKER a 1 2.0 2.0 <NA> <NA> two <NA> <NA>\n');
  const choose = (files: ReadonlyArray<ReturnType<typeof file>>) =>
    tab.page.getByLabel('Drop the files of one recording here, or choose them').setInputFiles([...files]);
  const refused = (text: RegExp) => tab.page.getByRole('alert').filter({ hasText: text }).waitFor();

  it('imports files that are chosen, and says what is wrong with others', async () => {
    tab = await signedIn(browser, world);
    await choose([turns('turns.rttm'), file('odd.txt', 'nothing that anybody knows'), turns('more.rttm')]);
    await tab.page.getByText('turns.rttm: speech, imported').waitFor();
    await refused(/odd\.txt: .{10}/);
    await refused(/more\.rttm: speech: taken from turns\.rttm already/);
    await tab.page.getByRole('link', { name: 'turns' }).waitFor();
  });

  it('imports the clip of the demo, and shows it from where it begins in its film', async () => {
    tab = await signedIn(browser, world);
    const clip = ['faces.csv', 'turns.rttm'].map((name) =>
      file(name, readFileSync(new URL(`../../../adapters/composition/demo-clip/${name}`, import.meta.url), 'utf8')),
    );
    await choose(clip);
    await tab.page.getByText('faces.csv: faces, imported').waitFor();
    await tab.page.getByText('turns.rttm: speech, imported').waitFor();
    await tab.page.getByRole('link', { name: 'faces', exact: true }).click();
    await tab.page.getByText('7 faces, 3 speakers').waitFor();
    await tab.page.getByRole('group', { name: /^Timeline from 15:00 to 19:23/ }).waitFor();
    await tab.page.getByRole('button', { name: 'Suggest anew' }).click();
    await tab.page.getByText('New suggestions are there.').waitFor();
    await tab.page.getByText('may be Face 0').waitFor();
    // Each file is offered for both halves; the browser notes what the service refuses of it.
    expect(tab.complaints.filter((text) => !text.includes('status of 422'))).to.deep.equal([]);
  });

  it('leaves nothing behind of an import that failed', async () => {
    tab = await signedIn(browser, world);
    const taken = tab.page.waitForResponse(
      (response) => response.request().method() === 'DELETE' && response.url().includes('/audios/'),
    );
    await choose([file('unknown.txt', 'nothing that anybody knows')]);
    await refused(/unknown\.txt: .{10}/);
    await taken;
    expect(await adminOf(world).videos.list({ title: 'unknown' }).toArray()).to.deep.equal([]);
  });

  it('shows a key without rights what it may do, and what it lacks', async () => {
    const client = adminOf(world);
    await client.accounts.create({ account_id: 'reader', name: 'A reader' });
    const { key } = await client.keys.create('reader', {});
    tab = await tabOf(browser, world);
    await tab.page.getByLabel('API key').fill(key);
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByText('that takes the permission WORKER').waitFor();
    expect(await tab.page.getByRole('link', { name: 'Audit' }).count()).to.equal(0);
    expect(tab.complaints).to.deep.equal([]);
  });

  it('tells where a name comes from, and when the log was last sealed', async () => {
    const client = adminOf(world);
    const { video_id } = await talkOf(client, 'An explained talk');
    await client.faces.rename(video_id, [{ face_id: 1, name: 'Cleo' }]);
    tab = await signedIn(browser, world);
    await tab.open('audit');
    const { page } = tab;
    await page.getByText('The log was never sealed.').waitFor();
    await page.getByLabel('Id of its video').fill(video_id);
    await page.getByLabel('Its number').fill('1');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('face 1: “Face 1” → “Cleo”').waitFor();
    await page.getByText('Video analysis recorded').waitFor();
    await page.getByText('Store and read models: ready').waitFor();
    expect(tab.complaints).to.deep.equal([]);
  });
});
