import { at } from '../values.js';
import { type Records, openRecords } from './records.js';
import { type Request, type Steps, following, serving } from './requests.js';

interface Timed {
  readonly request: Request;
  /** Milliseconds; requests may be dated in another order than that in which they are served. */
  readonly at: number;
}

/** Requests of one group are served at once, the next group when all of them are answered. */
export type Groups = ReadonlyArray<ReadonlyArray<Timed>>;

export interface Outcome {
  /** A face without speaker tells no name: it may have missed one that its speaker had for a moment. */
  readonly faces: ReadonlyArray<{
    readonly face_id: number;
    readonly speaker_id: number | null;
    readonly called: string | null;
  }>;
  readonly speakers: ReadonlyArray<{ readonly speaker_id: number; readonly called: string | null }>;
}

const outcome = ({ video, audio }: Records): Outcome => ({
  faces: [...video().state.faces.values()].map(({ face_id, speaker_id, name }) => ({
    face_id,
    speaker_id,
    called: speaker_id === null ? null : name,
  })),
  speakers: [...audio().state.speakers.values()].map(({ speaker_id, name }) => ({ speaker_id, called: name })),
});

const run = (steps: Steps): void => {
  while (steps.next().done !== true);
};

/** Every order of these. */
const permutations = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

/** What comes of it when one request is served after the other, in every order that the groups allow. */
export const oneByOne = (groups: Groups): ReadonlyArray<Outcome> => {
  const orders = groups.reduce<ReadonlyArray<ReadonlyArray<Timed>>>(
    (before, group) => before.flatMap((order) => permutations(group).map((next) => [...order, ...next])),
    [[]],
  );
  return orders.map((order) => {
    const records = openRecords();
    order.forEach(({ request }, second) => run(serving(records, request, at(second))));
    return outcome(records);
  });
};

/** Whole numbers of 32 bits, the same for the same seed (xorshift). */
function* numbers(seed: number): Generator<number, number> {
  for (let state = seed | 1; ;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

/** Steps without an event after which nothing is left to be done. */
const idleSteps = 1_000;

const finish = (process: Steps, log: ReadonlyArray<unknown>): void => {
  for (let idle = 0; idle < idleSteps; idle += 1) {
    const before = log.length;
    process.next();
    if (log.length > before) idle = 0;
  }
};

/** What comes of it when they get in each other's way, as the seed has it; the process follows at its own pace. */
export const atOnce = (groups: Groups, seed: number): Outcome => {
  const records = openRecords();
  const process = following(records);
  const choices = numbers(seed);
  groups.forEach((group, second) => {
    let working = group.map(({ request, at: ms }) => serving(records, request, at(second + ms / 1_000)));
    while (working.length > 0) {
      const index = choices.next().value % (working.length + 1);
      const steps = working[index];
      if (steps === undefined) process.next();
      else if (steps.next().done === true) working = working.toSpliced(index, 1);
    }
  });
  finish(process, records.log);
  return outcome(records);
};
