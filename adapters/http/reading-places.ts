import type * as T from 'fp-ts/lib/Task.js';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { Visit } from './endpoint.js';
import type { Refusal } from './refusals.js';

/** Lets work be done for some requests at a time, and for the accounts by turns. */
export interface ReadingPlaces {
  /** The work, once there is a place for it. */
  readonly of: (account: string) => <Result>(work: T.Task<Result>) => T.Task<Result>;
}

/** Those who wait, by account: the account that is first in the map is the next one. */
type Waiting = Map<string, Array<() => void>>;

const nextOf = (waiting: Waiting): (() => void) | undefined => {
  const [first] = waiting;
  if (first === undefined) return undefined;
  const [account, line] = first;
  const next = line.shift();
  waiting.delete(account);
  if (line.length > 0) waiting.set(account, line);
  return next;
};

/**
 * So many places for work that takes memory while it is done. An account that asks for much at once waits for itself:
 * whoever asks for one thing is next.
 */
export const readingPlaces = (places: number): ReadingPlaces => {
  const waiting: Waiting = new Map();
  let free = places;
  const enter = (account: string): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const line = waiting.get(account);
      if (line === undefined) waiting.set(account, [resolve]);
      else line.push(resolve);
    });
  };
  /** The place is handed on, or free. */
  const leave = (): void => {
    const next = nextOf(waiting);
    if (next === undefined) free += 1;
    else next();
  };
  return {
    of: (account) => (work) => async () => {
      await enter(account);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};

/** For what large answers are made of, in this process. */
const answerPlaces = readingPlaces(4);
/** For transcripts of hundreds of thousands of words, each of which is in memory for as long as a model looks at it. */
const transcriptPlaces = readingPlaces(1);

/** Nobody is there to be told. */
export type Gone = Extract<Refusal, { readonly _tag: 'BodyCutOff' }>;

type Reading = Pick<Visit, 'request' | 'isGone'>;

const readIn =
  (places: ReadingPlaces) =>
  <Refused, Result>(
    { request, isGone }: Reading,
    read: TE.TaskEither<Refused, Result>,
  ): TE.TaskEither<Refused | Gone, Result> =>
    places.of(request.caller.account_id)<E.Either<Refused | Gone, Result>>(() =>
      isGone() ? Promise.resolve(E.left<Gone>({ _tag: 'BodyCutOff' })) : read(),
    );

/** Reads what an answer is made of in its turn; not for a client that has gone away meanwhile. */
export const readInPlace = readIn(answerPlaces);

/** Transcripts of fewer parts are looked at without waiting for others. */
const manyParts = 10;

/** Does what takes the transcript of an audio into memory, in its turn where that is long. */
export const withTranscript = <Refused, Result>(
  call: Reading,
  { transcript }: Pick<RegisteredAudio, 'transcript'>,
  work: TE.TaskEither<Refused, Result>,
): TE.TaskEither<Refused | Gone, Result> =>
  transcript === null || transcript.parts < manyParts ? work : readIn(transcriptPlaces)(call, work);
