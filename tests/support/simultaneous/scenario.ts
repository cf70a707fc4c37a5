import * as T from 'fp-ts/lib/Task.js';
import { type Aggregates, type Application, aggregates } from '../../../application/application.js';
import { application } from '../../../application/reactions/run.js';
import type { Aggregate } from '../../../application/commands/handle-command.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import { queueMatchRun } from '../../../application/use-cases/match-runs/match-runs.js';
import { registerAudio, registerVideo } from '../../../application/use-cases/videos/register.js';
import type { RunId } from '../../../domain/kernel/ids.js';
import { analyseFaces, analyseSpeakers, audio, video } from '../application/media.js';
import { type World, world } from '../application/world.js';
import { appendCopy } from '../event-store/events.js';
import { openInMemory } from '../event-store/in-memory.js';
import { succeeded } from '../event-store/outcomes.js';
import { at, videoId } from '../values.js';

interface InitialLog {
  readonly events: ReadonlyArray<StoredEvent>;
  readonly run_id: RunId;
}

/** Faces 1 and 2 without names, speakers 1 to 3 with generated labels, and an open run that commits. */
const createInitialLog = async (): Promise<InitialLog> => {
  const { store } = await openInMemory();
  const now = world(store, 'the beginning');
  const place: World = { ...now, request: () => now.request({ at: at(-20) }) };
  await succeeded(registerVideo(place.app, place.request(), video('v')));
  await succeeded(registerAudio(place.app, place.request(), audio('a', 'v')));
  await analyseFaces(place, 'v', [
    [1, null],
    [2, null],
  ]);
  await analyseSpeakers(place, 'a', [
    [1, 'SPEAKER_01'],
    [2, 'SPEAKER_02'],
    [3, 'SPEAKER_03'],
  ]);
  const { run_id } = await succeeded(queueMatchRun(place.app, place.request(), videoId('v'), 'commit', null));
  const { events } = await succeeded(store.readAll(null, {}, 1_000));
  return { events, run_id };
};

let initialLog: Promise<InitialLog> | null = null;

export interface Scenario extends World {
  readonly run_id: RunId;
}

/** Aggregates whose calls each wait for a turn. */
const inTurns = (
  original: Aggregates,
  turn: () => Promise<void>,
): Pick<Application, 'videos' | 'audios' | 'matchRuns'> => {
  const waiting =
    <Given extends ReadonlyArray<unknown>, Result>(call: (...given: Given) => T.Task<Result>) =>
    (...given: Given): T.Task<Result> =>
    async () => {
      await turn();
      return call(...given)();
    };
  const one = <Command, State, Event, Refusal>({
    load,
    handle,
    dryRun,
    ...rest
  }: Aggregate<Command, State, Event, Refusal>): Aggregate<Command, State, Event, Refusal> => ({
    ...rest,
    load: waiting(load),
    handle: waiting(handle),
    dryRun: waiting(dryRun),
  });
  return { videos: one(original.videos), audios: one(original.audios), matchRuns: one(original.matchRuns) };
};

/** The application on a new log with the initial events. */
export const openScenario = async (turn: () => Promise<void> = () => Promise.resolve()): Promise<Scenario> => {
  initialLog ??= createInitialLog();
  const { events, run_id } = await initialLog;
  const { store } = await openInMemory();
  for (const event of events) await appendCopy(store, event);
  const place = world(store);
  return {
    ...place,
    run_id,
    app: application({ ...place.app, ...inTurns(aggregates(store), turn) }),
  };
};
