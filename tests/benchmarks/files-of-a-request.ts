import { type Profiler, Session } from 'node:inspector/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expectOk, mediaPaths } from '../support/e2e/media.js';
import { connect, listen, newSession, openStage } from '../support/realtime/stage.js';
import { registerMedia } from './support/media.js';

/*
 * In how many of our files does a function run between a request and its answer? Counted by the coverage of V8, with
 * the service in this process; each request is made three times before, so that what a first one sets up is not counted.
 * Those who follow the log hear of an event before its answer has arrived: they are counted apart. `--list` names the
 * files.
 */

const dist = fileURLToPath(new URL('../../', import.meta.url));
const sourceFolders = /^(?:domain|application|projections|adapters)\//;

/** Read models and processes that take the event in. */
const followers = /^(?:projections\/(?!audit)|application\/processes\/|adapters\/read-models\/(?!queries|open))/;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** A module itself is covered when it is loaded, which is no part of a request. */
const hasRun = ({ functions }: Profiler.ScriptCoverage): boolean =>
  functions.some(({ functionName, ranges: [range] }) => functionName !== '' && (range?.count ?? 0) > 0) ||
  functions.some(({ ranges: [range] }) => (range?.startOffset ?? 0) > 0 && (range?.count ?? 0) > 0);

const filesOf = async (work: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  // What goes on beside requests has come to its end.
  await setTimeout(700);
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(hasRun)
    .map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url).slice(dist.length) : ''))
    .filter((file) => sourceFolders.test(file))
    .toSorted();
};

const stage = await openStage({ meter_seconds: 2 });
const { world, owner } = stage;
const worker = await world.client('worker', { permissions: ['WORKER'] });
await registerMedia(worker, 'v');
const { match, writeBack } = mediaPaths('v', 'v-audio');
const named = (turn: number) => ({ mappings: [{ face_id: turn, speaker_id: turn, name: `Name ${turn}` }] });
const matched = (turn: number) => ({
  status: 'completed',
  matches: [{ face_id: 0, speaker_id: turn, accuracy: 0.9 }],
});

const afterOthers = async (request: (turn: number) => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  for (const turn of [0, 1, 2]) await request(turn);
  return filesOf(() => request(3));
};

const counted = new Map<string, ReadonlyArray<string>>();
counted.set(
  'PUT speaker-face-match that names a speaker',
  await afterOthers((turn) => expectOk(worker.put(match, named(turn)))),
);
counted.set('write-back without a run id', await afterOthers((turn) => expectOk(worker.put(writeBack, matched(turn)))));
const realtime = await newSession(owner);
const results = await listen(realtime);
await connect(stage, owner, realtime);
const charged = (times: number) =>
  results.waitFor(({ type, credits_charged }) => type === 'usage' && credits_charged === 2 * times);
await charged(2);
counted.set('realtime charge', await filesOf(() => charged(3)));
await world.end();

console.table(
  Object.fromEntries(
    [...counted].map(([name, files]) => {
      const following = files.filter((file) => followers.test(file)).length;
      return [name, { files: files.length - following, 'of followers': following }];
    }),
  ),
);
if (process.argv.includes('--list'))
  for (const [name, files] of counted) console.log(`\n${name}\n${files.map((file) => `  ${file}`).join('\n')}`);
process.exit();
