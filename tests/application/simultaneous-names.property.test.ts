import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Scheduler } from 'fast-check';
import type * as T from 'fp-ts/lib/Task.js';
import { type Aggregates, aggregates, type Application } from '../../application/application.js';
import type { Aggregate } from '../../application/commands/handle-command.js';
import type { StoredEvent } from '../../application/ports/event-store.js';
import { application } from '../../application/reactions/run.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import type { RunId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import { requestsTo } from '../support/application/requests.js';
import {
  analyseFaces,
  analyseSpeakers,
  audio,
  audioState,
  video,
  videoState,
  otherInstance,
  reactAtOnce,
  type World,
  world,
} from '../support/application/world.js';
import { appendCopy, openInMemory, succeeded } from '../support/event-store/stores.js';
import { shortOrLong } from '../support/long-form.js';
import { at, audioId, speakerId } from '../support/values.js';
import { proposed } from '../support/video-events.js';

type Turns = Pick<Scheduler, 'schedule' | 'waitNext' | 'count'>;

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
  const { run_id } = await succeeded(requestsTo(place, place.request(), 'v').trigger('commit'));
  const { events } = await succeeded(store.readAll(null, {}, 1_000));
  return { events, run_id };
};

let initialLog: Promise<InitialLog> | null = null;

interface Scenario extends World {
  readonly run_id: RunId;
}

/** Aggregates whose calls each wait for a turn. */
const inTurns = (
  original: Aggregates,
  turn: () => Promise<unknown>,
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
const openScenario = async (turn: () => Promise<unknown> = () => Promise.resolve()): Promise<Scenario> => {
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

type Request =
  | { readonly do: 'rename'; readonly speaker: number; readonly name: string }
  | { readonly do: 'match'; readonly face: number; readonly speaker: number; readonly name: string | null }
  | { readonly do: 'name face'; readonly face: number; readonly name: string }
  | { readonly do: 'write back'; readonly face: number; readonly speaker: number }
  | { readonly do: 'merge'; readonly from: number; readonly into: number }
  | { readonly do: 'delete'; readonly speaker: number };

/** Serves a request; it may be refused. */
const serve = (place: Scenario, request: Request, at: Timestamp): Promise<unknown> => {
  const { app, run_id } = place;
  const context = place.request({ at });
  const ask = requestsTo(place, context, 'v', 'a');
  switch (request.do) {
    case 'rename':
      return ask.nameSpeaker(request.speaker, request.name)();
    case 'match':
      return ask.match([request.face, request.speaker, request.name])();
    case 'write back':
      return ask.answer(run_id, [proposed(request.face, request.speaker)])();
    case 'name face':
      return ask.nameFace(request.face, request.name)();
    case 'merge': {
      const [from, into] = [speakerId(request.from), speakerId(request.into)];
      return app.perform(context, 'audios', audioId('a'), { type: 'MergeSpeakers', from, into, at })();
    }
    case 'delete': {
      const speaker_id = speakerId(request.speaker);
      return app.perform(context, 'audios', audioId('a'), { type: 'DeleteSpeaker', speaker_id, at })();
    }
  }
};

/** Gives turns, each when all work waits for one, until the condition holds. */
const giveTurns = async (turns: Turns, isDone: () => boolean): Promise<void> => {
  for (await setImmediate(); !isDone(); await setImmediate()) await turns.waitNext(1);
};

interface Timed {
  readonly request: Request;
  /** Milliseconds; requests may be dated in another order than that in which they are served. */
  readonly at: number;
}

/** The requests of one group are served at the same time; the next group starts when all are answered. */
type Groups = ReadonlyArray<ReadonlyArray<Timed>>;

interface Outcome {
  /** Without the names of faces without speaker, which may differ by a name that the speaker had only for a moment. */
  readonly faces: ReadonlyArray<{
    readonly face_id: number;
    readonly speaker_id: number | null;
    readonly called: string | null;
  }>;
  readonly speakers: ReadonlyArray<{ readonly speaker_id: number; readonly called: string | null }>;
}

/** The state according to the log, read without any caches. */
const outcome = async ({ app }: Scenario): Promise<Outcome> => {
  const reader = world(app.store);
  const { faces } = await videoState(reader, 'v');
  const { speakers } = await audioState(reader, 'a');
  return {
    faces: [...faces.values()].map(({ face_id, speaker_id, name }) => ({
      face_id,
      speaker_id,
      called: speaker_id === null ? null : name,
    })),
    speakers: [...speakers.values()].map(({ speaker_id, name }) => ({ speaker_id, called: name })),
  };
};

/** All orders of the items. */
const permutations = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

/** The outcomes of serving the requests one after the other, in every order that the groups allow. */
async function* oneByOne(groups: Groups): AsyncGenerator<Outcome> {
  const orders = groups.reduce<ReadonlyArray<ReadonlyArray<Timed>>>(
    (before, group) => before.flatMap((order) => permutations(group).map((next) => [...order, ...next])),
    [[]],
  );
  for (const order of orders) {
    const scenario = await openScenario();
    for (const [second, { request }] of order.entries()) await serve(scenario, request, at(second));
    yield outcome(scenario);
  }
}

/**
 * The outcome of serving the requests of each group concurrently, in any interleaving. The process for reactions is that
 * of the same instance, or of another one, which does not know which reactions the requests have run.
 */
const atOnce = async (groups: Groups, turns: Turns, isOfInstance: boolean): Promise<Outcome> => {
  const scenario = await openScenario(() => turns.schedule(Promise.resolve()));
  const ofInstance = isOfInstance ? scenario.app : otherInstance(scenario.app);
  const process = reactAtOnce(ofInstance, await succeeded(scenario.app.store.head()));
  for (const [second, group] of groups.entries()) {
    let working = group.length;
    group.forEach(({ request, at: ms }) => {
      void serve(scenario, request, at(second + ms / 1_000)).finally(() => (working -= 1));
    });
    await giveTurns(turns, () => working === 0);
  }
  await giveTurns(turns, () => turns.count() === 0);
  await process.close();
  return outcome(scenario);
};

const speaker = fc.constantFrom(1, 2);
const face = fc.constantFrom(1, 2);
const name = fc.constantFrom('Ann', 'Bea', 'Eve');
const does = <Do extends Request['do']>(what: Do): fc.Arbitrary<Do> => fc.constant(what);

const naming: fc.Arbitrary<Request> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: does('rename'), speaker, name }) },
  { weight: 4, arbitrary: fc.record({ do: does('match'), face, speaker, name: fc.option(name) }) },
  { weight: 1, arbitrary: fc.record({ do: does('name face'), face, name }) },
  { weight: 2, arbitrary: fc.record({ do: does('write back'), face, speaker }) },
);
const any: fc.Arbitrary<Request> = fc.oneof(
  { weight: 8, arbitrary: naming },
  { weight: 1, arbitrary: fc.record({ do: does('merge'), from: speaker, into: fc.constant(3) }) },
  { weight: 1, arbitrary: fc.record({ do: does('delete'), speaker }) },
);

/** Up to two requests, then two to `most` simultaneous ones. */
const groupsOf = (request: fc.Arbitrary<Request>, most: number): fc.Arbitrary<Groups> => {
  const timed = fc.record({ request, at: fc.nat(2) });
  return fc.tuple(fc.array(timed, { maxLength: 2 }), fc.array(timed, { minLength: 2, maxLength: most }));
};

const pairs = ({ faces, speakers }: Outcome) =>
  faces.flatMap(({ face_id, speaker_id, called }) => {
    if (speaker_id === null) return [];
    const other = speakers.find((one) => one.speaker_id === speaker_id);
    return [{ pair: `${face_id} ${speaker_id}`, known: other !== undefined, differ: other?.called !== called }];
  });

const numRuns = Number(process.env['PROPERTY_SEQUENCES'] ?? shortOrLong(75, 500));

/** Whether the outcomes contain the wanted one. */
const isAmong = async (outcomes: AsyncIterable<Outcome>, wanted: Outcome): Promise<boolean> => {
  for await (const outcome of outcomes) if (isDeepStrictEqual(outcome, wanted)) return true;
  return false;
};

const partedIn = async (outcomes: AsyncIterable<Outcome>): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  for await (const outcome of outcomes)
    pairs(outcome).forEach(({ pair, differ }) => {
      if (differ) found.add(pair);
    });
  return found;
};

describe('simultaneous requests for names and matches', function () {
  this.timeout(120_000);

  it('have the same result as one after the other, for any two', () =>
    fc.assert(
      fc.asyncProperty(groupsOf(naming, 2), fc.scheduler(), fc.boolean(), async (groups, turns, isOfInstance) => {
        const outcome = await atOnce(groups, turns, isOfInstance);
        if (await isAmong(oneByOne(groups), outcome)) return;
        expect.fail(`as no order of the requests ends: ${JSON.stringify(outcome)}`);
      }),
      { numRuns },
    ));

  it('give a face and its speaker one name, and leave no face with a removed speaker: any three, also merges and deletions', () =>
    fc.assert(
      fc.asyncProperty(groupsOf(any, 3), fc.scheduler(), fc.boolean(), async (groups, turns, isOfInstance) => {
        const found = pairs(await atOnce(groups, turns, isOfInstance));
        expect(found.filter(({ known }) => !known)).to.deep.equal([]);
        const differ = found.filter((one) => one.differ);
        if (differ.length === 0) return;
        const mayPart = await partedIn(oneByOne(groups));
        expect(differ.filter(({ pair }) => !mayPart.has(pair))).to.deep.equal([]);
      }),
      { numRuns },
    ));
});
