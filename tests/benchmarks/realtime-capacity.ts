import { type ChildProcess, fork } from 'node:child_process';
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { embeddedEngine } from '../../adapters/realtime/webrtc/embedded-engine.js';
import type { EngineReport } from '../../application/ports/realtime-engine.js';
import { sessionId } from '../support/values.js';
import { Said, type PeerMessage } from './realtime/messages.js';
import { percentile, quick, whole } from './support/figures.js';

/* How many sessions with sound the embedded engine holds, with clients that really connect and send in another process.
 * Their sound is encoded and encrypted ahead: a client of one's own has a processor of its own. */

const argument = process.argv.find((text) => text.startsWith('--sessions='));
const count = Number(argument?.split('=')[1] ?? (quick ? 5 : 100));
/** Duration of the measurement, once all are connected; connecting costs more than holding sessions. */
const seconds = quick ? 3 : 30;
const settling = quick ? 0 : 5;
const connectingAtOnce = 4;

const wall = (): number => performance.timeOrigin + performance.now();
/** A microphone hands over a packet when its 20 ms are over; the clients here send the first at once. */
const packetMilliseconds = 20;
const sendingSince = new Map<number, number>();
const delays: number[] = [];
let measuring = false;
const faults: string[] = [];
const lost: string[] = [];

const onReport = (peer: number, report: EngineReport): void => {
  if (report.kind === 'media' && report.state !== 'connected') lost.push(`${peer} is ${report.state}`);
  const since = sendingSince.get(peer);
  if (!measuring || report.kind !== 'voice_activity' || since === undefined) return;
  delays.push(wall() - since - report.end * 1_000 + packetMilliseconds);
};

const engine = embeddedEngine({ additionalAddresses: ['127.0.0.1'], fault: (reason) => faults.push(reason) });
await engine.health()();
const empty = process.memoryUsage().rss;
const clients = fork(fileURLToPath(new URL('./realtime/peers-process.js', import.meta.url)));
const sendTo = (to: ChildProcess, message: PeerMessage): unknown => to.send(message);

const answerTo = async (peer: number, sdp: string): Promise<void> => {
  const answer = await engine.negotiate(sessionId(`peer-${peer}`), sdp, (report) => onReport(peer, report))();
  if (E.isLeft(answer)) throw new Error(answer.left.reason);
  sendTo(clients, { type: 'answer', peer, sdp: answer.right.sdp });
};

let begun = 0;
let connected = 0;
const beginNext = (): void => {
  if (begun >= count) return;
  sendTo(clients, { type: 'begin', peer: begun });
  begun += 1;
};

await new Promise<void>((resolve, reject) => {
  clients.on('message', (message: unknown) => {
    if (!Said.is(message)) return reject(new Error(`not understood: ${JSON.stringify(message)}`));
    switch (message.said) {
      case 'ready':
        for (let at = 0; at < connectingAtOnce; at += 1) beginNext();
        return;
      case 'offer':
        answerTo(message.peer, message.sdp).catch(reject);
        return;
      case 'connected':
        connected += 1;
        if (connected === count) sendTo(clients, { type: 'send', seconds: settling + seconds + 1 });
        return beginNext();
      case 'sending':
        sendingSince.set(message.peer, message.at);
        if (sendingSince.size === count) resolve();
        return;
      case 'failed':
        return reject(new Error(message.reason));
    }
  });
});
await setTimeout(settling * 1_000);
measuring = true;
const measuredFrom = performance.now();
const before = process.cpuUsage();
await setTimeout(seconds * 1_000);
measuring = false;
const cpu = process.cpuUsage(before);
const measured = performance.now() - measuredFrom;
const held = process.memoryUsage().rss;
clients.kill();
await engine.shutDown();

const expected = (count * measured * 4) / 1_000;
const p99 = percentile(delays, 99);
const share = (cpu.user + cpu.system) / 1_000 / measured;
console.log(
  `${count} sessions with sound: ${whole(delays.length)} of ${whole(expected)} results; delay median ` +
    `${whole(percentile(delays, 50))} ms, p99 ${whole(p99)} ms; ${(share * 100).toFixed(0)} % of a core, ` +
    `${((share * 100) / count).toFixed(2)} % a session; ${((held - empty) / 2 ** 20 / count).toFixed(1)} MB a session; ` +
    `load ${loadavg()[0]?.toFixed(1)}`,
);
if (faults.length > 0) throw new Error(faults.join('; '));
if (delays.length === 0) throw new Error('there were no results');
/* The short form only shows that it runs; a busy machine may lose a connection. */
if (!quick && lost.length > 0) throw new Error(lost.join('; '));
if (!quick && (p99 >= 200 || delays.length < expected * 0.98)) throw new Error('they do not hold');
