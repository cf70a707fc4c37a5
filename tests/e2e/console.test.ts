import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { type Tab, adminOf, expectSoon, signInOn, signedIn, tabOf, useConsole } from '../support/browser/console.js';
import type { World } from '../support/world.js';

describe('the console', function () {
  this.timeout(90_000);
  let world: World;
  let browser: Browser;
  let tab: Tab;
  useConsole({ match_worker: 'embedded' }, (started) => {
    ({ world, browser } = started);
  });
  afterEach(async () => {
    await tab?.close();
  });
  const keysOf = async () =>
    (await adminOf(world).keys.list('admin').toArray()).filter(({ label }) => label === 'console');

  it('refuses a wrong key with a message', async () => {
    tab = await tabOf(browser, world);
    await tab.page.getByLabel('API key').fill('wrong');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('alert').filter({ hasText: 'Missing or invalid API key' }).waitFor();
  });

  it('works with a key of its own, for this tab only, until it signs out', async () => {
    tab = await signedIn(browser, world);
    const [key] = (await keysOf()).filter(({ revoked_at }) => revoked_at === null);
    expect(Date.parse(key?.expires_at ?? '') - Date.now()).to.be.within(7 * 3_600_000, 8 * 3_600_000);
    expect(await tab.page.evaluate('Object.values(sessionStorage).length')).to.equal(1);
    expect(await tab.page.evaluate('Object.values(sessionStorage).includes("admin-key-of-the-tests")')).to.equal(false);
    expect(await tab.page.evaluate('localStorage.length + document.cookie.length')).to.equal(0);
    await tab.page.reload();
    await tab.page.getByRole('heading', { name: 'Videos' }).waitFor();
    // No request uses the key while it is being revoked.
    let letGo = (): void => undefined;
    const held = new Promise<void>((resume) => (letGo = resume));
    await tab.page.route(/\/keys\/[^/]+$/, (route) => held.then(() => route.continue()));
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await tab.page.getByRole('heading', { name: 'Videos' }).waitFor({ state: 'detached' });
    letGo();
    await tab.page.getByText('The key of this tab was revoked.').waitFor();
    expect((await keysOf()).filter(({ revoked_at }) => revoked_at === null)).to.deep.equal([]);
    expect(await tab.page.evaluate('sessionStorage.length')).to.equal(0);
    expect(tab.complaints).to.deep.equal([]);
  });

  it('is small, and served under a strict content security policy', async () => {
    const paths = new Set<string>();
    tab = await tabOf(browser, world, '/console/', {}, (page) =>
      page.on('request', (request) => /\.m?js$/.test(request.url()) && paths.add(request.url())),
    );
    const page = await fetch(`${world.url()}/console/`);
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).to.include("default-src 'self'").and.include("require-trusted-types-for 'script'");
    expect(policy).to.not.match(/unsafe|\*/);
    // All pages are preloaded before signing in; Audit is the last of them.
    await expectSoon(async () => [...paths].some((path) => path.endsWith('audit/events.js')), true);
    const scripts = await Promise.all([...paths].map(async (path) => (await fetch(path)).arrayBuffer()));
    const bytes = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0);
    expect(scripts.length).to.be.greaterThan(40);
    expect(bytes).to.be.below(60_000);
    expect(tab.complaints).to.deep.equal([]);
  });

  it('asks for a key before it loads anything that the page does not preload', async () => {
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

  it('reports a page that cannot be loaded, and loads it again', async () => {
    const { page } = (tab = await tabOf(browser, world, '/console/', {}, (fresh) =>
      fresh.route('**/realtime.js', (route) => route.abort()),
    ));
    await signInOn(tab, world);
    await tab.open('realtime');
    await page.getByRole('alert').filter({ hasText: 'This page could not be loaded' }).waitFor();
    await page.unroute('**/realtime.js');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { name: 'Realtime' }).waitFor();
  });

  it('shows a key without rights what it may do, and what it lacks', async () => {
    const client = adminOf(world);
    await client.accounts.create({ account_id: 'reader', name: 'A reader' });
    const { key } = await client.keys.create('reader', {});
    tab = await tabOf(browser, world);
    await tab.page.getByLabel('API key').fill(key);
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByText('that requires the permission WORKER').waitFor();
    expect(await tab.page.getByRole('link', { name: 'Audit' }).count()).to.equal(0);
    expect(tab.complaints).to.deep.equal([]);
  });
});
