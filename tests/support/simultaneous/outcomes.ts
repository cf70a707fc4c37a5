import * as TE from 'fp-ts/lib/TaskEither.js';
import { reactionProcess } from '../../../application/processes/reaction-process.js';
import { runProcess } from '../../../application/processes/run-process.js';
import { createCompletedReactions } from '../../../application/reactions/completed.js';
import { audioState, videoState } from '../application/media.js';
import { world } from '../application/world.js';
import { at } from '../values.js';
import { type Place, openPlace } from './place.js';
import { type Request, serve } from './requests.js';
import { turnsOf } from './turns.js';

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

/** What the log says, read by somebody who knew nothing of it. */
const outcome = async ({ app }: Place): Promise<Outcome> => {
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

/** Every order of these. */
const permutations = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

/** What comes of it when one request is served after the other, in every order that the groups allow, one by one. */
export async function* oneByOne(groups: Groups): AsyncGenerator<Outcome> {
  const orders = groups.reduce<ReadonlyArray<ReadonlyArray<Timed>>>(
    (before, group) => before.flatMap((order) => permutations(group).map((next) => [...order, ...next])),
    [[]],
  );
  for (const order of orders) {
    const place = await openPlace();
    for (const [second, { request }] of order.entries()) await serve(place, request, at(second));
    yield outcome(place);
  }
}

/**
 * What comes of it when they get in each other's way, as the seed has it. The process follows at its own pace: that of
 * the same instance, or of another, which does not know what the requests have carried out.
 */
export const atOnce = async (groups: Groups, seed: number): Promise<Outcome> => {
  const turns = turnsOf(seed);
  const place = await openPlace(turns.wait);
  const ofInstance = seed % 2 === 0 ? place.app : { ...place.app, completedReactions: createCompletedReactions() };
  const checkpoints = { load: () => place.app.store.head(), save: () => TE.right(undefined) };
  const process = runProcess(place.app, checkpoints, reactionProcess(ofInstance));
  for (const [second, group] of groups.entries()) {
    let working = group.length;
    group.forEach(({ request, at: ms }) => {
      void serve(place, request, at(second + ms / 1_000)).finally(() => (working -= 1));
    });
    await turns.giveUntil(() => working === 0);
  }
  await turns.giveAll();
  await process.close();
  return outcome(place);
};
