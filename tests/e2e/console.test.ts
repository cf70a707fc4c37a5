import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectNoViolations } from '../support/browser/accessibility.js';
import { type Tab, signInOn, useConsole } from '../support/browser/console.js';

describe('the console', function () {
  this.timeout(90_000);
  const suite = useConsole({ match_worker: 'embedded' });
  const keysOf = async () =>
    (await suite.client.keys.list('admin').toArray()).filter(({ label }) => label?.includes('console') === true);

  it('refuses a wrong key, and says what a key without rights may do, and what it lacks', async () => {
    const tab = await suite.tabOf();
    await tab.page.getByLabel('API key').fill('ключ');
    expect(await tab.page.locator('#key:invalid').count(), 'a key that cannot be sent').to.equal(1);
    await tab.page.getByLabel('API key').fill('wrong');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('alert').filter({ hasText: 'Missing or invalid API key' }).waitFor();
    await suite.client.accounts.create({ account_id: 'reader', name: 'A reader' });
    await signInOn(tab, suite.world, (await suite.client.keys.create('reader', {})).key);
    await tab.page.getByText('that requires the permission WORKER').waitFor();
    expect(await tab.page.getByRole('link', { name: 'Audit' }).count()).to.equal(0);
  });

  const live = async () => (await keysOf()).filter(({ revoked_at }) => revoked_at === null);
  /** Another tab of the same browser. */
  const secondTab = async (beside: Tab) => {
    const page = await beside.page.context().newPage();
    await page.goto(`${suite.world.url()}/console/`);
    return page;
  };

  it('works with a key of its own, for this browser only, until it signs out', async () => {
    const tab = await suite.signedIn();
    const [key] = await live();
    expect(Date.parse(key?.expires_at ?? '') - Date.now()).to.be.within(7 * 3_600_000, 8 * 3_600_000);
    expect(await tab.page.evaluate('Object.values(sessionStorage).length')).to.equal(1);
    const stored =
      '[...Object.values(sessionStorage), ...Object.values(localStorage)].includes("admin-key-of-the-tests")';
    expect(await tab.page.evaluate(stored)).to.equal(false);
    const kept = 'Object.values(sessionStorage).some((key) => Object.values(localStorage).includes(key))';
    expect(await tab.page.evaluate(kept), 'the key outlives the browser').to.equal(false);
    expect(await tab.page.evaluate('document.cookie.length')).to.equal(0);
    await tab.page.reload();
    await tab.page.getByRole('heading', { name: 'Videos' }).waitFor();
    expect(await tab.page.title()).to.equal('Videos – Media analysis');
    // No request uses the key while it is being revoked.
    let letGo = (): void => undefined;
    const held = new Promise<void>((resume) => (letGo = resume));
    await tab.page.route(/\/keys\/[^/]+$/, (route) => held.then(() => route.continue()));
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await tab.page.getByRole('heading', { name: 'Videos' }).waitFor({ state: 'detached' });
    letGo();
    await tab.page.getByText('The key of this browser was revoked.').waitFor();
    expect(await live()).to.deep.equal([]);
    expect(await tab.page.evaluate('sessionStorage.length')).to.equal(0);
  });

  it('has one key for all tabs, which sign out together; the next sign-in replaces it', async () => {
    const tab = await suite.tabOf();
    await signInOn(tab, suite.world);
    const second = await secondTab(tab);
    await second.getByRole('heading', { name: 'Videos' }).waitFor();
    expect((await live()).length).to.equal(1);
    const third = await secondTab(tab);
    await third.evaluate('sessionStorage.clear()');
    await second.getByRole('button', { name: 'Sign out' }).click();
    await second.getByText('The key of this browser was revoked.').waitFor();
    await tab.page.getByText('You signed out in another tab.').waitFor();
    expect(await live()).to.deep.equal([]);
    await signInOn(tab, suite.world);
    await second.getByRole('heading', { name: 'Videos' }).waitFor();
    await Promise.all([second.close(), third.close()]);
    await tab.page.evaluate('sessionStorage.clear()');
    await tab.page.reload();
    await signInOn(tab, suite.world);
    expect((await live()).length).to.equal(1);
  });

  it('asks for a key over the page when its own was revoked, in all tabs, and goes on with what was begun', async () => {
    const tab = await suite.tabOf();
    const { page } = tab;
    await signInOn(tab, suite.world);
    await tab.open('account');
    await page.getByLabel('Label').fill('begun before the end');
    const second = await secondTab(tab);
    await second.getByRole('heading', { name: 'Videos' }).waitFor();
    for (const { key_id } of await live()) await suite.client.keys.revoke('admin', key_id);
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await second.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(await page.getByRole('alert').count(), 'red notices').to.equal(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expectNoViolations(tab, 'session ended');
    await page.getByLabel('API key').fill(suite.world.adminKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await second.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Label').inputValue()).to.equal('begun before the end');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByText('Copy the key now').waitFor();
    expect((await live()).length).to.equal(1);
  });

  it('warns before its key ends, and signs in again in place', async () => {
    const short = await suite.client.keys.create('admin', { label: 'for a moment', expires_in_seconds: 300 });
    const tab = await suite.tabOf();
    const { page } = tab;
    await signInOn(tab, suite.world, short.key);
    await page.getByText(/^Your session ends at \d\d:\d\d\./).waitFor();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByLabel('API key').fill(suite.world.adminKey);
    await page.keyboard.press('Enter');
    await page.getByText('Your session ends at').waitFor({ state: 'detached' });
  });

  it('is small, and served under a strict content security policy', async () => {
    const page = await fetch(`${suite.world.url()}/console/`);
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).to.include("default-src 'self'").and.include("require-trusted-types-for 'script'");
    expect(policy).to.not.match(/unsafe|\*/);
    const script = await (await fetch(`${suite.world.url()}/console/main.js`)).arrayBuffer();
    expect(gzipSync(script).length).to.be.below(50_000);
  });
});
