import * as E from 'fp-ts/lib/Either.js';
import type * as T from 'fp-ts/lib/Task.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { Visit } from './endpoint.js';
import type { Refusal } from './refusals/refusals.js';

/** Runs work of an account when its turn comes. */
export type Turns = (account: string) => <Result>(work: T.Task<Result>) => T.Task<Result>;

/**
 * Runs at most `most` pieces of work at once, and begins at most one in a turn of the event loop, so that short requests
 * wait for one piece and not for all. The accounts take turns: one with many requests does not delay one with a single.
 */
export const takingTurns = (most: number): Turns => {
  /** The first account in the map is the next one. */
  const waiting = new Map<string, Array<() => void>>();
  let running = 0;
  let isScheduled = false;
  const beginNext = (): void => {
    isScheduled = false;
    const [first] = waiting;
    if (first === undefined || running >= most) return;
    const [account, queue] = first;
    const begin = queue.shift();
    waiting.delete(account);
    if (queue.length > 0) waiting.set(account, queue);
    running += 1;
    begin?.();
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled || running >= most || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(beginNext);
  };
  const turnOf = (account: string): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(account);
      if (queue === undefined) waiting.set(account, [resolve]);
      else queue.push(resolve);
      schedule();
    });
  return (account) => (work) => async () => {
    await turnOf(account);
    try {
      return await work();
    } finally {
      running -= 1;
      schedule();
    }
  };
};

/** For reading the content of large answers, a portion at a time. */
const reads = takingTurns(4);
/** For long transcripts, each of which is in memory for as long as a model works on it. */
const transcripts = takingTurns(1);

/** The client has disconnected, so nobody receives this answer. */
export type Gone = Extract<Refusal, { readonly _tag: 'BodyCutOff' }>;

/** A request that reads. */
export type Reading = Pick<Visit, 'request' | 'isGone'>;

const unlessGone =
  (turns: Turns) =>
  <Refused, Result>(
    { request, isGone }: Reading,
    read: TE.TaskEither<Refused, Result>,
  ): TE.TaskEither<Refused | Gone, Result> =>
    turns(request.caller.account_id)<E.Either<Refused | Gone, Result>>(() =>
      isGone() ? Promise.resolve(E.left<Gone>({ _tag: 'BodyCutOff' })) : read(),
    );

/** Reads a portion of an answer when it is the caller's turn; not if the client has disconnected meanwhile. */
export const readInTurn = unlessGone(reads);

/** Shorter transcripts need no turn. */
const minParts = 10;

/** Runs work that loads the transcript of an audio: one after the other if they are long. */
export const withTranscript = <Refused, Result>(
  call: Reading,
  { transcript }: Pick<RegisteredAudio, 'transcript'>,
  work: TE.TaskEither<Refused, Result>,
): TE.TaskEither<Refused | Gone, Result> =>
  transcript === null || transcript.parts < minParts ? work : unlessGone(transcripts)(call, work);
