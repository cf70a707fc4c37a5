import * as E from 'fp-ts/lib/Either.js';
import { embeddedEngine } from '../../adapters/webrtc/embedded-engine.js';
import { fuzzEngine } from '../support/realtime/fuzz-engine.js';
import { randomFrom } from '../support/realtime/random.js';
import { quick, whole } from './support/figures.js';

/* Spoilt offers and candidates for the embedded engine: none may go without an answer, and nothing may stay behind. */

const count = quick ? 300 : 100_000;
const megabytes = (): number => process.memoryUsage().rss / 2 ** 20;

const faults: string[] = [];
const engine = embeddedEngine({ fault: (reason) => faults.push(reason) });
let early = 0;
const outcome = await fuzzEngine(engine, count, randomFrom(Date.now()), (done) => {
  if (done === Math.floor(count / 4)) early = megabytes();
  if (done % 10_000 === 0) console.log(`${whole(done)} done, ${whole(megabytes())} MB`);
});
const late = megabytes();
const alive = E.isRight(await engine.health()());
await engine.shutDown();

console.log(
  `${whole(count)} offers: ${whole(outcome.answered)} answered, ${whole(outcome.refused)} refused; candidates: ` +
    `${whole(outcome.candidatesTaken)} taken, ${whole(outcome.candidatesRefused)} refused`,
);
console.log(`memory after a quarter ${whole(early)} MB, after all ${whole(late)} MB; faults: ${faults.length}`);
if (!alive || outcome.unavailable.length > 0) throw new Error(`the engine did not live: ${outcome.unavailable[0]}`);
if (!quick && late > early * 1.2) throw new Error('memory grew by more than a fifth');
