import { expect } from 'chai';
import { AuthenticationError, MediaAnalysis } from '../../adapters/client/index.js';
import { openBrowser } from '../support/browser/chromium.js';
import { expectNoViolations, expectReachable, pictured } from '../support/browser/accessibility.js';
import { type Tab, expectSoon, talkOf, useConsole } from '../support/browser/console.js';
import { speechLike } from '../support/realtime/speech-like.js';

describe('an owner on the console', function () {
  this.timeout(90_000);
  let tab: Tab;
  let key: string;
  const suite = useConsole(
    { match_worker: 'embedded' },
    async () => {
      const { client } = suite;
      await client.accounts.create({ account_id: 'owner', name: 'An owner' });
      key = (await client.keys.create('owner', { permissions: ['WORKER', 'MEDIA_WRITE'] })).key;
      await client.credits.grant('owner', { amount: 100.25, reason: 'paid by bank transfer' });
      await client.credits.setWindow('owner', { limit: 50, period_seconds: 7_200 });
      const owner = new MediaAnalysis({ baseUrl: suite.world.url(), apiKey: key });
      const { audio_id } = await talkOf(owner);
      await owner.names.suggest(audio_id, { target_speaker_ids: [1, 2] });
    },
    () => {
      const stretches = [false, true, false, true, false].map((speech) => ({ seconds: speech ? 2 : 3, speech }));
      return openBrowser(speechLike([...stretches, { seconds: 30, speech: false }], 31));
    },
  );
  beforeEach(async () => {
    tab = await suite.signedIn({ key, permissions: ['microphone'] });
  });

  it('sees balance, window, ledger, and spending by day and category with bars', async () => {
    const { page } = tab;
    await tab.open('account');
    await page.getByRole('heading', { name: 'Account An owner' }).waitFor();
    const { balance } = await suite.client.credits.get('owner');
    expect(balance).to.be.below(100);
    await page.locator('.facts').getByText(String(balance), { exact: true }).waitFor();
    const spent = Math.round((100.25 - balance) * 1e6) / 1e6;
    await page.getByText(`${spent} of 50 in 2 hours`).waitFor();
    await page.getByRole('row', { name: /grant 100.25 100.25 paid by bank transfer/ }).waitFor();
    await page.getByRole('row', { name: new RegExp(`name inference -${spent} ${balance}`) }).waitFor();
    await page.getByText(`${spent} credits in 1 charge`).waitFor();
    const day = page.getByRole('row', { name: new RegExp(`name inference 1 ${spent}`) });
    expect(await day.locator('meter').getAttribute('value')).to.equal(String(spent));
  });

  it('makes a key with a label, an expiry and a permission, which works until it is revoked', async () => {
    const { page } = tab;
    await tab.open('account');
    await page.getByLabel('Label').fill('for the importer');
    const hours = page.getByLabel('Valid for (hours)');
    await hours.fill('30');
    await page.getByText(/^It will end sooner: after [78][.\d]* hours/).waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('alert').filter({ hasText: 'Enter from 1 to 24 hours.' }).waitFor();
    expect(await hours.inputValue()).to.equal('30');
    await hours.fill('2');
    await page.getByText('reads and writes the recordings of all accounts').waitFor();
    await page.getByLabel('WORKER').check();
    expect(await page.getByLabel('admin').count()).to.equal(0);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const secret = (await page.locator('code').textContent()) ?? '';
    await page.context().grantPermissions(['microphone', 'clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(secret);
    const made = new MediaAnalysis({ baseUrl: suite.world.url(), apiKey: secret });
    const { label, permissions, expires_at } = await made.me.get();
    expect([label, permissions]).to.deep.equal(['for the importer', ['WORKER']]);
    expect(Date.parse(expires_at ?? '') - Date.now()).to.be.within(7_000_000, 7_200_000);
    await page.getByRole('row', { name: /for the importer WORKER/ }).waitFor();
    await page.getByRole('button', { name: 'Revoke for the importer' }).click();
    await page
      .getByRole('row', { name: /for the importer/ })
      .getByText('revoked')
      .waitFor();
    const refused = await made.me.get().catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(AuthenticationError);
  });

  it('sees when somebody speaks, the level and the cost, and ends the session', async () => {
    const { page } = tab;
    await tab.open('realtime');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('connected', { exact: true }).waitFor();
    await page.getByText('speaking', { exact: true }).waitFor();
    const spoken = page.getByRole('list', { name: 'Detected speech' }).getByRole('listitem');
    await spoken.first().waitFor();
    expect(await spoken.first().textContent()).to.match(/^0:\d\d\.\d to 0:\d\d\.\d$/);
    const level = page.getByRole('meter', { name: 'level in dBFS' });
    expect(Number(await level.getAttribute('value'))).to.be.within(-100, 0);
    await expectNoViolations(tab, 'realtime');
    await expectReachable(tab, 'realtime');
    await page.getByText('Leaving this page ends the session.').waitFor();
    const answered = page.waitForResponse((response) => response.url().endsWith('/end'));
    await page.getByRole('button', { name: 'End' }).click();
    await page.getByText('ended', { exact: true }).waitFor();
    const charged = Number(/"credits_charged":([\d.]+)/.exec(await (await answered).text())?.[1]);
    const { balance } = await suite.client.credits.get('owner');
    const fact = (name: string) => page.locator('.facts div').filter({ hasText: name }).locator('dd').textContent();
    expect(charged).to.be.greaterThan(0);
    expect(await fact('Credits charged in all')).to.equal(String(charged));
    expect(await fact('Balance')).to.equal(String(balance));
    await page.getByText(`your balance is ${balance} credits`).waitFor();
    expect(await page.getByText('speaking', { exact: true }).count()).to.equal(0);
    expect(await page.getByRole('meter').count()).to.equal(0);
    await pictured(tab, 'realtime ended');
  });

  it('cannot start a session without credit, and sees whether balance or window is the reason', async () => {
    const { page } = tab;
    await tab.open('realtime');
    const start = page.getByRole('button', { name: 'Start' });
    await page.getByText('A minute costs').waitFor();
    await expectSoon(() => start.isEnabled(), true);
    const client = suite.client;
    const { balance, window } = await client.credits.get('owner');
    await client.credits.setWindow('owner', { limit: 0, period_seconds: 7_200 });
    await page.getByText(/^The spending window is used up: .* of 0 credits in 2 hours/).waitFor();
    expect(await start.isDisabled()).to.equal(true);
    await client.credits.setWindow('owner', window ?? { limit: null });
    await client.credits.grant('owner', { amount: -balance, reason: 'a test' });
    await page.getByText('The balance is 0 credits.').waitFor();
    expect(await start.isDisabled()).to.equal(true);
    await client.credits.grant('owner', { amount: balance, reason: 'a test' });
  });

  it('sees in words that the service was stopped during a session, and the charge until then', async () => {
    const { page } = tab;
    await tab.open('realtime');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('connected', { exact: true }).waitFor();
    await page.getByText('speaking', { exact: true }).waitFor();
    await suite.world.restart();
    await page.getByText('The service was stopped, or started again.').waitFor();
    await page.getByText('ended', { exact: true }).waitFor();
    expect(await page.locator('main').textContent()).to.not.match(/1001|1006|fetch|http/);
  });
});
