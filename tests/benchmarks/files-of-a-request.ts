import { type Profiler, Session } from 'node:inspector/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expectOk, mediaPaths } from '../support/e2e/media.js';
import { startWorld } from '../support/world.js';
import { registerMedia } from './support/media.js';

/*
 * In how many of our files does a function run between a PUT speaker-face-match that names a speaker and its answer?
 * Counted by the coverage of V8, with the service in this process; the request is made three times before, so that what a
 * first one sets up is not counted. Those who follow the log hear of an event before its answer has arrived: they are
 * counted apart. `--list` names the files.
 */

const dist = fileURLToPath(new URL('../../', import.meta.url));
const sourceFolders = /^(?:domain|application|projections|adapters)\//;

/** Read models and processes that take the event in, and what reads the log for them. */
const followers =
  /^(?:projections\/(?!audit)|application\/processes\/|adapters\/read-models\/(?!gate|queries|reader|open)|adapters\/event-store\/sqlite\/(?:subscription|page|newest-page|tip|filter-query|checkpoints))/;

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

const world = await startWorld();
const worker = await world.client('worker', { permissions: ['WORKER'] });
await registerMedia(worker, 'v');
const { match } = mediaPaths('v', 'v-audio');
const request = (turn: number) =>
  expectOk(worker.put(match, { mappings: [{ face_id: turn, speaker_id: turn, name: `Name ${turn}` }] }));
for (const turn of [0, 1, 2]) await request(turn);
const files = await filesOf(() => request(3));
await world.end();

const following = files.filter((file) => followers.test(file)).length;
console.log(`${files.length - following} files, and ${following} of followers`);
if (process.argv.includes('--list')) files.forEach((file) => console.log(`  ${file}`));
process.exit();
