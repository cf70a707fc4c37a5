import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import type { Browser, Page } from 'playwright-core';
import { newKey, bodyOf } from '../support/http-client.js';
import { chromiumProgram, framesOf, howToGetChromium, openBrowser } from '../support/browser/chromium.js';
import { needs } from '../support/browser/program.js';
import { writeWav } from '../support/browser/wav.js';
import { until } from '../support/contracts/realtime-engine-contract.js';
import { activityIn, speechIn } from '../support/realtime/frames.js';
import { sampleRate, speechLike, type Stretch } from '../support/realtime/speech-like.js';
import { type PageServer, startPageServer } from '../support/realtime/page-server.js';
import { startWorld, type World } from '../support/world.js';

const stretches: readonly Stretch[] = [
  { seconds: 3, speech: false },
  { seconds: 1.6, speech: true },
  { seconds: 1.2, speech: false },
  { seconds: 2.4, speech: true },
  { seconds: 1.5, speech: false },
  { seconds: 1, speech: true },
  { seconds: 20, speech: false },
];
const Session = t.type({ session_id: t.string });
const Ended = t.type({ type: t.literal('error'), session_id: t.string, code: t.literal('insufficient_credits') });

/** In the page: every socket closes when the event `drop` is dispatched, like in a network loss. */
const socketsThatDrop = `
  const Plain = WebSocket;
  WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      addEventListener('drop', () => this.close());
    }
  };
`;

describe('a browser on the realtime page', function () {
  this.timeout(90_000);
  let world: World;
  let browser: Browser;
  let page: Page;
  let server: PageServer;
  let frames: readonly unknown[];
  const folder = mkdtempSync(join(tmpdir(), 'microphone-'));
  const wav = join(folder, 'speech.wav');

  before(async function () {
    needs(this, chromiumProgram, 'Chromium', howToGetChromium);
    writeWav(wav, speechLike(stretches, 31), sampleRate);
    world = await startWorld({ cors_allowed_origins: ['*'] });
  });
  beforeEach(async () => {
    browser = await openBrowser(wav);
    page = await browser.newPage();
    frames = framesOf(page);
  });
  afterEach(async () => {
    await browser?.close();
    await server?.stop();
  });
  after(async () => {
    await world?.end();
    rmSync(folder, { recursive: true });
  });

  /** Opens the page of a server that holds a key. */
  const open = async (key: string): Promise<void> => {
    server = await startPageServer(world.url(), key);
    await page.goto(server.url);
  };

  /** Opens the page for a new key of an account with these credits, and starts. */
  const balanceOf = async (account_id: string): Promise<number> =>
    bodyOf(t.type({ balance: t.number }), await world.admin.get(`/v1/accounts/${account_id}/credits`)).balance;
  const started = async (account_id: string, amount: number): Promise<string> => {
    const key = await newKey(world.admin, account_id);
    // A retry has only the credits that the first attempt left.
    const given = amount - (await balanceOf(account_id));
    if (given > 0) await world.admin.post(`/v1/accounts/${account_id}/credits`, { amount: given, reason: 'a test' });
    await open(key);
    await page.getByText('0.6 credits a minute').waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    return key;
  };
  const sessionsOf = (): readonly string[] => [
    ...new Set(frames.filter(Session.is).map(({ session_id }) => session_id)),
  ];

  /** The answer to the end of the first session. */
  const endAnswer = async (key: string): Promise<number> => {
    const path = `${world.url()}/v2/realtime/session/${sessionsOf()[0]}/end`;
    return (await fetch(path, { method: 'POST', headers: { 'X-API-Key': key } })).status;
  };

  it('shows the detected speech of its microphone, and the charges, without the key', async () => {
    const sent: string[] = [];
    // A session of the first attempt may still be charged when a retry begins.
    const account_id = `hears-${randomUUID()}`;
    page.on('request', async (request) => sent.push(request.url(), JSON.stringify(await request.allHeaders())));
    const key = await started(account_id, 100);
    // A browser without processor time sends with gaps. Sound without gaps is tested with generated media.
    await until(() => {
      const windows = activityIn(frames);
      const last = windows.at(-1);
      return last !== undefined && last.end >= 11 && !last.speaking && windows.some(({ speaking }) => speaking);
    });
    expect(await page.getByRole('status').textContent()).to.equal('Connected: speak');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Start' }).waitFor();
    const rows = (await page.locator('#intervals tr').allInnerTexts()).map((row) => row.split('\t').map(Number));
    const shown = rows.map(([start = 0, end = 0]) => ({ start, end })).toReversed();
    expect(shown).to.deep.equal(speechIn(activityIn(frames)));
    expect(await page.locator('#connected').textContent()).to.match(/^(9|[1-9]\d) s$/);
    const balance = await balanceOf(account_id);
    expect(Number(await page.locator('#charged').textContent())).to.equal(Number((100 - balance).toFixed(6)));
    expect(sent.join()).to.include('Bearer ').and.not.to.include(key);
    expect(await page.content()).not.to.include(key);
  });

  it('shows a message when the credits are used up, after which the session cannot be ended', async () => {
    const key = await started('runs-out', 0.05);
    await page.getByRole('alert').getByText('The credit lasts until').waitFor();
    await until(() => frames.some(Ended.is));
    await page.getByText('The credit has run out. Top up the account, then start again.').first().waitFor();
    expect(await endAnswer(key)).to.equal(404);
    expect(frames.filter(Ended.is)).to.have.length(1);
  });

  it('recovers from a network loss with a new session', async () => {
    await page.addInitScript(socketsThatDrop);
    const key = await started('drops', 100);
    await until(() => activityIn(frames).length > 4);
    await page.context().setOffline(true);
    await page.evaluate("dispatchEvent(new Event('drop'))");
    await page.getByText('A new session starts').first().waitFor();
    await page.context().setOffline(false);
    await until(
      () => sessionsOf().length === 2 && activityIn(frames).some((activity) => activity.session_id === sessionsOf()[1]),
    );
    expect(await endAnswer(key)).to.equal(404);
    expect(await page.getByRole('status').textContent()).to.equal('Connected: speak');
  });

  it('shows a message if its server has a wrong key, and starts nothing', async () => {
    await open('no key of this service');
    const words = 'The service does not accept the key of the page’s server, or the token of the session.';
    await page.getByRole('alert').getByText(words).waitFor();
    await page.getByRole('listitem').getByText(words).waitFor();
    expect(await page.getByText('not listening').count()).to.equal(1);
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).to.equal(true);
    expect(frames).to.deep.equal([]);
  });
});
