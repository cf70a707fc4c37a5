import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import { type Turns, takingTurns } from '../runtime/turns.js';
import type { IncomingRequest } from './endpoint.js';
import type { Refusal } from './refusals/refusals.js';

/** For reading the content of large answers, a portion at a time. */
const reads = takingTurns(4);
/** For long transcripts, each of which is in memory for as long as a model works on it. */
const transcripts = takingTurns(1);

/** The client has disconnected, so nobody receives this answer. */
export type Gone = Extract<Refusal, { readonly _tag: 'BodyCutOff' }>;

/** A request that reads. */
export type Reading = Pick<IncomingRequest, 'request' | 'isGone'>;

const unlessGone =
  (turns: Turns) =>
  <Refused, Result>(
    { request, isGone }: Reading,
    read: TE.TaskEither<Refused, Result>,
  ): TE.TaskEither<Refused | Gone, Result> =>
  () =>
    turns.run<E.Either<Refused | Gone, Result>>(request.caller.account_id, () =>
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
