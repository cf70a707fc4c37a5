import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as E from 'fp-ts/lib/Either.js';
import { embeddedEngine } from '../../adapters/realtime/webrtc/embedded-engine.js';
import type { HttpClient } from '../support/http-client.js';
import { fuzzEngine } from '../support/realtime/fuzz-engine.js';
import { fuzzSocket } from '../support/realtime/fuzz-socket.js';
import { randomFrom } from '../support/realtime/random.js';
import { openStage } from '../support/realtime/stage.js';
import { quick, whole } from './support/figures.js';

/*
 * Malformed offers and candidates for the embedded engine, and malformed messages for the results socket: none may go without
 * an answer, and nothing may stay behind. `--only=offers` and `--only=messages` do one of them.
 */

const seed = Date.now();
const offers = quick ? 300 : 100_000;
const messages = quick ? 500 : 100_000;
const early = 0.25;

const progressReporter =
  (all: number, memory: () => string, atQuarter: () => void) =>
  (done: number): void => {
    if (done === Math.floor(all * early)) atQuarter();
    if (done % 10_000 === 0) console.log(`${whole(done)} done, ${memory()}`);
  };

const grew = (what: string, before: number, after: number): void => {
  if (!quick && after > before * 1.2) throw new Error(`${what} grew by more than a fifth`);
};

const resident = (): number => process.memoryUsage().rss / 2 ** 20;

const signalling = async (): Promise<void> => {
  const faults: string[] = [];
  const engine = embeddedEngine({ fault: (reason) => faults.push(reason) });
  let before = 0;
  const showProgress = progressReporter(
    offers,
    () => `${whole(resident())} MB`,
    () => (before = resident()),
  );
  const outcome = await fuzzEngine(engine, offers, randomFrom(seed), showProgress);
  const after = resident();
  const alive = E.isRight(await engine.health()());
  await engine.shutDown();
  console.log(
    `${whole(offers)} offers: ${whole(outcome.answered)} answered, ${whole(outcome.refused)} refused; candidates: ` +
      `${whole(outcome.candidatesTaken)} taken, ${whole(outcome.candidatesRefused)} refused`,
  );
  console.log(`memory after a quarter ${whole(before)} MB, after all ${whole(after)} MB; faults: ${faults.length}`);
  if (!alive || outcome.unavailable.length > 0) throw new Error(`the engine did not live: ${outcome.unavailable[0]}`);
  grew('memory', before, after);
};

setFlagsFromString('--expose-gc');

const heap = (): number => {
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed / 2 ** 20;
};

const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

/** The number of open sockets once closing ones are closed. */
const socketsAtRest = async (expected: number): Promise<number> => {
  for (let left = 50; sockets() > expected && left > 0; left -= 1) await setTimeout(100);
  return sockets();
};

/** A connection for each request: none stays open for the next. */
const unkept = (client: HttpClient): HttpClient => ({
  ...client,
  post: (path, body, headers) => client.post(path, body, { ...headers, Connection: 'close' }),
});

/** Service and clients are one process, so that resources left by either are detected. */
const socketMessages = async (): Promise<void> => {
  const { world, owner } = await openStage({ max_sessions: 1_000, ping_seconds: 3_600 });
  const openBefore = sockets();
  let before = 0;
  const showProgress = progressReporter(
    messages,
    () => `${sockets()} sockets`,
    () => (before = heap()),
  );
  const { sessions, accepted, closed, unfinished, faults } = await fuzzSocket(
    unkept(owner),
    messages,
    randomFrom(seed),
    showProgress,
  );
  const openAfter = await socketsAtRest(openBefore);
  const after = heap();
  const { status } = await world.anonymous.get('/readyz');
  await world.end();
  const codes = [...closed].map(([code, times]) => `${whole(times)} ${code ?? 'without a code'}`).join(', ');
  console.log(
    `${whole(messages)} messages on ${whole(sessions)} sockets: ${whole(accepted)} accepted, ${whole(unfinished)} frames ` +
      `without an end; closed: ${codes}`,
  );
  console.log(
    `heap after a quarter ${before.toFixed(1)} MB, after all ${after.toFixed(1)} MB; open sockets before ${openBefore}, ` +
      `after ${openAfter}; faults: ${faults.length}`,
  );
  if (faults.length > 0) throw new Error(`seed ${seed}: ${faults.slice(0, 5).join('; ')}`);
  if (status !== 200 || openAfter > openBefore) throw new Error('the service is not as it was');
  grew('the heap', before, after);
};

const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
if (only !== 'messages') await signalling();
if (only !== 'offers') await socketMessages();
