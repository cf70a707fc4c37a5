import type * as T from 'fp-ts/lib/Task.js';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { Visit } from './endpoint.js';
import type { Refusal } from './refusals/refusals.js';

/** A semaphore that serves the accounts in turn. */
export interface ReadSlots {
  /** Runs the work of an account once there is a free slot. */
  readonly forAccount: (account: string) => <Result>(work: T.Task<Result>) => T.Task<Result>;
}

/** The waiting requests by account. The first account in the map is the next one to be served. */
type Waiting = Map<string, Array<() => void>>;

const nextOf = (waiting: Waiting): (() => void) | undefined => {
  const [first] = waiting;
  if (first === undefined) return undefined;
  const [account, queue] = first;
  const next = queue.shift();
  waiting.delete(account);
  if (queue.length > 0) waiting.set(account, queue);
  return next;
};

/**
 * Limits how much memory-intensive work runs at once. Accounts take turns, so that an account with many requests does not
 * delay an account with one.
 */
export const readSlots = (count: number): ReadSlots => {
  const waiting: Waiting = new Map();
  let free = count;
  const enter = (account: string): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const queue = waiting.get(account);
      if (queue === undefined) waiting.set(account, [resolve]);
      else queue.push(resolve);
    });
  };
  const leave = (): void => {
    const next = nextOf(waiting);
    if (next === undefined) free += 1;
    else next();
  };
  return {
    forAccount: (account) => (work) => async () => {
      await enter(account);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};

/** For reading the content of large answers. */
const answerSlots = readSlots(4);
/** For long transcripts, each of which is in memory for as long as a model works on it. */
const transcriptSlots = readSlots(1);

/** The client has disconnected, so nobody receives this answer. */
export type Gone = Extract<Refusal, { readonly _tag: 'BodyCutOff' }>;

type Reading = Pick<Visit, 'request' | 'isGone'>;

const withSlot =
  (slots: ReadSlots) =>
  <Refused, Result>(
    { request, isGone }: Reading,
    read: TE.TaskEither<Refused, Result>,
  ): TE.TaskEither<Refused | Gone, Result> =>
    slots.forAccount(request.caller.account_id)<E.Either<Refused | Gone, Result>>(() =>
      isGone() ? Promise.resolve(E.left<Gone>({ _tag: 'BodyCutOff' })) : read(),
    );

/** Reads the content of an answer when there is a free slot; not if the client has disconnected meanwhile. */
export const withReadSlot = withSlot(answerSlots);

/** Shorter transcripts need no slot. */
const minParts = 10;

/** Runs work that loads the transcript of an audio; when there is a free slot if the transcript is long. */
export const withTranscript = <Refused, Result>(
  call: Reading,
  { transcript }: Pick<RegisteredAudio, 'transcript'>,
  work: TE.TaskEither<Refused, Result>,
): TE.TaskEither<Refused | Gone, Result> =>
  transcript === null || transcript.parts < minParts ? work : withSlot(transcriptSlots)(call, work);
