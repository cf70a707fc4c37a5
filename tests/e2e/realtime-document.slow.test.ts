import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as t from 'io-ts';
import { RtpHeader, RtpPacket } from 'werift';
import { httpClient, newKey } from '../support/http-client.js';
import { chromiumProgram, framesOf, howToGetChromium, openBrowser } from '../support/browser/chromium.js';
import { needs } from '../support/browser/program.js';
import { ownAddress } from '../support/browser/relay.js';
import { until } from '../support/contracts/realtime-engine-contract.js';
import { startLocalServer } from '../support/local-server.js';
import { activityIn } from '../support/realtime/frames.js';
import { opusPackets, speechLike } from '../support/realtime/speech-like.js';
import { type World, startWorld } from '../support/world.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const document = readFileSync(join(root, 'docs/realtime.md'), 'utf8');
/** The only code block in this language, as it stands in the document. */
const codeIn = (language: string): string => {
  const [block, ...others] = document.split(`\`\`\`${language}\n`).slice(1);
  expect(others).to.deep.equal([]);
  return block?.slice(0, block.indexOf('```')) ?? '';
};
const speech = speechLike([{ seconds: 20, speech: true }]);
const Ended = t.type({ status: t.literal('ended'), credits_charged: t.number });

describe('the code in the document on realtime sessions', function () {
  this.timeout(90_000);
  const folder = mkdtempSync(join(tmpdir(), 'realtime-document-'));
  let world: World;
  let key: string;
  before(async () => {
    world = await startWorld({ cors_allowed_origins: ['*'] });
    key = await newKey(world.admin, 'reader');
    await world.admin.post('/v1/accounts/reader/credits', { amount: 10, reason: 'a test' });
  });
  after(async () => {
    await world.end();
    rmSync(folder, { recursive: true });
  });

  /** A server that answers POST /session as the document says, and everything else with the page. */
  const pageServer = () =>
    startLocalServer(async ({ method }, response) => {
      if (method !== 'POST') return response.writeHead(200, { 'Content-Type': 'text/html' }).end(codeIn('html'));
      const { status, text } = await httpClient(world.url(), key).post('/v2/realtime/session');
      return response.writeHead(status).end(text);
    });

  it('is a page that sends its microphone, shows results, and ends the session', async function () {
    needs(this, chromiumProgram, 'Chromium', howToGetChromium);
    const server = await pageServer();
    const browser = await openBrowser(speech);
    const page = await browser.newPage();
    const [frames, logged]: [readonly unknown[], unknown[]] = [framesOf(page), []];
    page.on('console', (message) => logged.push(message.text()));
    await page.goto(server.url);
    await until(() => activityIn(frames).some(({ speaking }) => speaking));
    await page.getByRole('button', { name: 'Stop' }).click();
    await until(() => logged.some((line) => Ended.is(JSON.parse(String(line)))));
    expect(logged.filter((line) => /"speaking":true/.test(String(line)))).not.to.deep.equal([]);
    await browser.close();
    await server.close();
  });

  it('is a program for Node.js that sends Opus packets and prints results until it is interrupted', async function () {
    needs(this, ownAddress(), 'network interface beside loopback', 'connect the machine to a network');
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['werift', 'ws'])
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    await symlink(root, join(folder, 'node_modules/media-analysis'));
    await writeFile(join(folder, 'send.mjs'), codeIn('js'));
    const sender = createSocket('udp4').bind(0, '127.0.0.1');
    await once(sender, 'listening');
    const free = createSocket('udp4').bind(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address();
    free.close();
    const env = {
      ...process.env,
      MEDIA_ANALYSIS_URL: world.url(),
      MEDIA_ANALYSIS_API_KEY: key,
      RTP_PORT: String(port),
    };
    const program: ChildProcess = spawn(process.execPath, ['send.mjs'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const frames: unknown[] = [];
    if (program.stdout !== null) createInterface(program.stdout).on('line', (line) => frames.push(JSON.parse(line)));
    const exited = once(program, 'close');
    const packets = opusPackets(speech);
    for (let sequence = 0; sequence < packets.length; sequence += 1) {
      const header = new RtpHeader({ sequenceNumber: sequence, timestamp: sequence * 960, payloadType: 97, ssrc: 7 });
      sender.send(new RtpPacket(header, Buffer.from(packets[sequence] ?? [])).serialize(), port, '127.0.0.1');
      await setTimeout(20);
      if (activityIn(frames).some(({ speaking }) => speaking)) break;
    }
    expect(activityIn(frames).some(({ speaking }) => speaking)).to.equal(true);
    program.kill('SIGINT');
    expect(await exited).to.deep.equal([0, null]);
    expect(frames.at(-1)).to.include({ type: 'usage' });
    sender.close();
  });
});
