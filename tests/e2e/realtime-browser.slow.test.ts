import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as t from 'io-ts';
import type { Browser, Page } from 'playwright-core';
import { defaults } from '../../adapters/config/config.js';
import { newKey, bodyOf } from '../support/http-client.js';
import { chromiumProgram, framesOf, howToGetChromium, openBrowser } from '../support/browser/chromium.js';
import { needs } from '../support/browser/program.js';
import { howToGetRelay, ownAddress, type Relay, relayProgram, startRelay } from '../support/browser/relay.js';
import { until } from '../support/contracts/realtime-engine-contract.js';
import { activityIn, speechIn } from '../support/realtime/frames.js';
import { type PageServer, startPageServer } from '../support/realtime/page-server.js';
import { speechLike, type Stretch } from '../support/realtime/speech-like.js';
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

/** In the page: connections use only relays, and are recorded. */
const relaysAlone = `
  const Plain = RTCPeerConnection;
  globalThis.connections = [];
  RTCPeerConnection = class extends Plain {
    constructor(configuration) {
      super({ ...configuration, iceTransportPolicy: 'relay' });
      connections.push(this);
    }
  };
`;

/** The type of the local candidate of the connection in use. */
const ownKind = `(async () => {
  const stats = [...(await connections.at(-1).getStats()).values()];
  const { selectedCandidatePairId } = stats.find(({ type }) => type === 'transport');
  const { localCandidateId } = stats.find(({ id }) => id === selectedCandidatePairId);
  return stats.find(({ id }) => id === localCandidateId).candidateType;
})()`;

/** Credentials of the TURN REST convention, for an hour. */
const credentialOf = (secret: string) => {
  const username = `${Math.floor(Date.now() / 1_000) + 3_600}:somebody`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
};

describe('a browser on the realtime page', function () {
  this.timeout(90_000);
  let world: World;
  let browser: Browser;
  let page: Page;
  let server: PageServer | undefined;
  let frames: readonly unknown[];

  before(async function () {
    needs(this, chromiumProgram, 'Chromium', howToGetChromium);
    world = await startWorld({ cors_allowed_origins: ['*'] });
  });
  beforeEach(async () => {
    browser = await openBrowser(speechLike(stretches, 31));
    page = await browser.newPage();
    frames = framesOf(page);
  });
  afterEach(async () => {
    await browser?.close();
    await server?.stop();
    server = undefined;
  });
  after(() => world?.end());

  const balanceOf = async (account_id: string): Promise<number> =>
    bodyOf(t.type({ balance: t.number }), await world.admin.get(`/v1/accounts/${account_id}/credits`)).balance;
  /** Opens the page of a server that holds a new key of an account with these credits, and starts. */
  const started = async (account_id: string, amount: number, of = world): Promise<string> => {
    const key = await newKey(of.admin, account_id);
    await of.admin.post(`/v1/accounts/${account_id}/credits`, { amount, reason: 'a test' });
    server = await startPageServer(of.url(), key);
    await page.goto(server.url);
    await page.getByText('0.6 credits a minute').waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    return key;
  };
  const sessionsOf = (): readonly string[] => [
    ...new Set(frames.filter(Session.is).map(({ session_id }) => session_id)),
  ];

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

  it('shows a message when the credits are used up', async () => {
    await started(`runs-out-${randomUUID()}`, 0.05);
    await page.getByRole('alert').getByText('The credit lasts until').waitFor();
    await until(() => frames.some(Ended.is));
    await page.getByText('The credit has run out. Top up the account, then start again.').first().waitFor();
    expect(frames.filter(Ended.is)).to.have.length(1);
  });

  it('recovers from a network loss with a new session', async () => {
    await page.addInitScript(socketsThatDrop);
    await started('drops', 100);
    await until(() => activityIn(frames).length > 4);
    await page.context().setOffline(true);
    await page.evaluate("dispatchEvent(new Event('drop'))");
    await page.getByText('A new session starts').first().waitFor();
    await page.context().setOffline(false);
    await until(
      () => sessionsOf().length === 2 && activityIn(frames).some((activity) => activity.session_id === sessionsOf()[1]),
    );
    expect(await page.getByRole('status').textContent()).to.equal('Connected: speak');
  });

  describe('that reaches the service only through a relay', () => {
    let relay: Relay;
    let relayed: World;
    before(async function () {
      needs(this, relayProgram, 'coturn', howToGetRelay);
      needs(this, ownAddress(), 'network interface beside loopback', 'connect the machine to a network');
      relay = await startRelay(ownAddress() ?? '');
      const realtime = { ...defaults.realtime, turn_urls: [relay.url], turn_secret: relay.secret };
      relayed = await startWorld({ realtime, cors_allowed_origins: ['*'] });
    });
    after(async () => {
      await relayed?.end();
      await relay?.stop();
    });

    it('sends media, with the credentials from the service', async () => {
      await page.addInitScript(relaysAlone);
      await started('relayed', 10, relayed);
      await until(() => activityIn(frames).some(({ speaking }) => speaking));
      expect(await page.evaluate(ownKind)).to.equal('relay');
    });

    it('reaches nothing else through it', async () => {
      const elsewhere = await startRelay(ownAddress() ?? '', '203.0.113.10');
      await page.evaluate(`(async () => {
        const [one, other] = ['relay', 'all'].map((iceTransportPolicy) => new RTCPeerConnection({
          iceTransportPolicy,
          iceServers: [{ urls: '${elsewhere.url}', ...${JSON.stringify(credentialOf(elsewhere.secret))} }],
        }));
        one.onicecandidate = ({ candidate }) => other.addIceCandidate(candidate);
        other.onicecandidate = ({ candidate }) => one.addIceCandidate(candidate);
        one.createDataChannel('data');
        await one.setLocalDescription();
        await other.setRemoteDescription(one.localDescription);
        await other.setLocalDescription();
        await one.setRemoteDescription(other.localDescription);
      })()`);
      await until(() => /403: Forbidden IP/.test(elsewhere.log()));
      expect(elsewhere.log()).not.to.match(/CREATE_PERMISSION processed, success/);
      await elsewhere.stop();
    });
  });
});
