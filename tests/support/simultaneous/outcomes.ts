import { audioState, videoState } from '../application/media.js';
import { otherInstance, reactAtOnce } from '../application/run-reactions.js';
import { world } from '../application/world.js';
import { succeeded } from '../event-store/outcomes.js';
import { at } from '../values.js';
import { type Request, serve } from './requests.js';
import { type Scenario, openScenario } from './scenario.js';

/** 32-bit integers, the same for the same seed (xorshift). */
function* randomNumbers(seed: number): Generator<number, number> {
  for (let state = seed | 1; ;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

/** Resolves once all work waits for a turn. */
const untilIdle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Turns {
  /** Resolves when it is the caller's turn; other callers may go first. */
  readonly wait: () => Promise<void>;
  /** Gives turns, one at a time, until the condition holds. */
  readonly giveUntil: (isDone: () => boolean) => Promise<void>;
  /** Gives turns until nobody waits for one. */
  readonly giveAll: () => Promise<void>;
}

/** Turns in an order that follows from the seed. */
const turnsOf = (seed: number): Turns => {
  const choices = randomNumbers(seed);
  const waiting: Array<() => void> = [];
  const giveUntil = async (isDone: () => boolean): Promise<void> => {
    for (await untilIdle(); !isDone(); await untilIdle()) {
      const [next] = waiting.splice(choices.next().value % waiting.length, 1);
      if (next === undefined) throw new Error('nothing waits for a turn, but the work is not done');
      next();
    }
  };
  return {
    wait: () => new Promise((resolve) => void waiting.push(resolve)),
    giveUntil,
    giveAll: () => giveUntil(() => waiting.length === 0),
  };
};

interface Timed {
  readonly request: Request;
  /** Milliseconds; requests may be dated in another order than that in which they are served. */
  readonly at: number;
}

/** The requests of one group are served at the same time; the next group starts when all are answered. */
export type Groups = ReadonlyArray<ReadonlyArray<Timed>>;

export interface Outcome {
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
export async function* oneByOne(groups: Groups): AsyncGenerator<Outcome> {
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
 * The outcome of serving the requests of each group concurrently; the seed determines the interleaving. The process for
 * reactions is that of the same instance, or of another one, which does not know which reactions the requests have run.
 */
export const atOnce = async (groups: Groups, seed: number): Promise<Outcome> => {
  const turns = turnsOf(seed);
  const scenario = await openScenario(turns.wait);
  const ofInstance = seed % 2 === 0 ? scenario.app : otherInstance(scenario.app);
  const process = reactAtOnce(ofInstance, await succeeded(scenario.app.store.head()));
  for (const [second, group] of groups.entries()) {
    let working = group.length;
    group.forEach(({ request, at: ms }) => {
      void serve(scenario, request, at(second + ms / 1_000)).finally(() => (working -= 1));
    });
    await turns.giveUntil(() => working === 0);
  }
  await turns.giveAll();
  await process.close();
  return outcome(scenario);
};
