import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { defaults } from '../../adapters/config/config.js';
import { newKey } from '../support/http-client.js';
import { chromiumProgram, framesOf, howToGetChromium, openBrowser } from '../support/browser/chromium.js';
import { needs } from '../support/browser/program.js';
import { howToGetRelay, ownAddress, type Relay, relayProgram, startRelay } from '../support/browser/relay.js';
import { writeWav } from '../support/browser/wav.js';
import { until } from '../support/contracts/realtime-engine-contract.js';
import { activityIn } from '../support/realtime/frames.js';
import { sampleRate, speechLike } from '../support/realtime/speech-like.js';
import { type PageServer, startPageServer } from '../support/realtime/page-server.js';
import { startWorld, type World } from '../support/world.js';

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

describe('a browser that reaches the service only through a relay', function () {
  this.timeout(60_000);
  let relay: Relay;
  let world: World;
  let browser: Browser;
  let server: PageServer;
  const folder = mkdtempSync(join(tmpdir(), 'microphone-'));

  before(async function () {
    needs(this, relayProgram, 'coturn', howToGetRelay);
    needs(this, chromiumProgram, 'Chromium', howToGetChromium);
    const address = ownAddress();
    needs(this, address, 'network interface beside loopback', 'connect the machine to a network');
    relay = await startRelay(address ?? '');
    const realtime = { ...defaults.realtime, turn_urls: [relay.url], turn_secret: relay.secret };
    world = await startWorld({ realtime, cors_allowed_origins: ['*'] });
    const wav = join(folder, 'speech.wav');
    writeWav(wav, speechLike([{ seconds: 30, speech: true }]), sampleRate);
    browser = await openBrowser(wav);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await world?.end();
    await relay?.stop();
    rmSync(folder, { recursive: true });
  });

  it('sends media, with the credentials from the service', async () => {
    const page = await browser.newPage();
    const frames = framesOf(page);
    await page.addInitScript(relaysAlone);
    const key = await newKey(world.admin, 'relayed');
    await world.admin.post('/v1/accounts/relayed/credits', { amount: 10, reason: 'a test' });
    server = await startPageServer(world.url(), key);
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Start' }).click();
    await until(() => activityIn(frames).some(({ speaking }) => speaking));
    expect(await page.evaluate(ownKind)).to.equal('relay');
  });

  it('reaches nothing else through it', async () => {
    const elsewhere = await startRelay(ownAddress() ?? '', '203.0.113.10');
    const page = await browser.newPage();
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
    await page.close();
    await elsewhere.stop();
  });
});
