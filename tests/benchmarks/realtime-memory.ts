import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as E from 'fp-ts/lib/Either.js';
import { opusDecoders } from '../../adapters/realtime/webrtc/audio/opus-decoders.js';
import { mediaSessions } from '../../adapters/realtime/webrtc/worker/media-sessions.js';
import { browserOffer } from '../support/realtime/offers.js';
import { quick, whole } from './support/figures.js';

/* Whether sessions that were negotiated and ended leave anything behind, on the heap of the thread that held them. */

const count = quick ? 300 : 10_000;
const sample = count / 10;

setFlagsFromString('--expose-gc');
const collect = (): unknown => runInNewContext('gc()');
const heap = async (): Promise<number> => {
  await new Promise((resolve) => {
    setTimeout(resolve, 500);
  });
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

const options = { iceServers: [], additionalAddresses: [], relayOnly: false, answerTimeoutMs: 10_000 };
const sessions = mediaSessions(options, opusDecoders(), () => undefined);
let early = 0;
const start = performance.now();
for (let at = 1; at <= count; at += 1) {
  const id = `session-${at}`;
  const answer = await sessions.negotiate(id, browserOffer, null);
  if (E.isLeft(answer)) throw new Error(answer.left);
  await sessions.close(id);
  if (at === sample) early = await heap();
}
const took = (performance.now() - start) / count;
const late = await heap();
console.log(
  `${whole(count)} sessions negotiated and ended, ${took.toFixed(1)} ms each; heap after ${whole(sample)}: ` +
    `${early.toFixed(1)} MB, after all: ${late.toFixed(1)} MB`,
);
if (!quick && late > early * 1.2) throw new Error('the heap grew by more than a fifth');
process.exit(0);
