import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  UnsupportedError,
  WrongExpectedVersionError,
  convertToCommandError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';

/** Why a call to the server failed, as far as it matters to who called. */
export type CallFailure =
  /** The server cannot be reached, or did not answer: whether it did what was asked is not known. */
  | { readonly _tag: 'Away'; readonly reason: string }
  /** The server is known to be away; nothing was sent. */
  | { readonly _tag: 'NotSent'; readonly reason: string }
  /** Another node leads; the client goes there next. Nothing was done. */
  | { readonly _tag: 'NotLeader'; readonly reason: string }
  /** Nothing was done: the server does not let us in. */
  | { readonly _tag: 'Denied'; readonly reason: string }
  /** There is no event at the position that a reading was to begin from. */
  | { readonly _tag: 'InvalidPosition'; readonly reason: string }
  /** Nothing was done, and trying again would not help. */
  | { readonly _tag: 'Refused'; readonly reason: string }
  | { readonly _tag: 'NoStream' }
  | { readonly _tag: 'WrongRevision'; readonly actual: number | 'no_stream' };

const codeOf = (error: object): unknown => ('code' in error ? error.code : undefined);

/** Codes of calls that the server decided upon. All others may have been carried out or not. */
const refusals: ReadonlyArray<unknown> = [
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.ALREADY_EXISTS,
  status.RESOURCE_EXHAUSTED,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.UNIMPLEMENTED,
];

const isAway = (error: Error): boolean =>
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof DeadlineExceededError ||
  error instanceof TimeoutError;

const firstLine = (text: string): string => text.split('\n')[0] ?? text;

/** The client's name for an error of gRPC; the error itself where the client stumbles over it. */
const named = (error: Error): Error => {
  try {
    return convertToCommandError(error);
  } catch {
    return error;
  }
};

/** Names a client's error, or whatever else was thrown; an error of gRPC that the client did not name is looked at by its code. */
export const callFailureOf = (thrown: unknown): CallFailure => {
  if (!(thrown instanceof Error)) return { _tag: 'Away', reason: String(thrown) };
  const error = named(thrown);
  const reason = firstLine(error.message);
  if (error instanceof WrongExpectedVersionError) {
    const { actualVersion } = error;
    return { _tag: 'WrongRevision', actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : 'no_stream' };
  }
  if (error instanceof StreamNotFoundError) return { _tag: 'NoStream' };
  if (error instanceof NotLeaderError) return { _tag: 'NotLeader', reason };
  if (codeOf(error) === status.UNKNOWN && reason.includes('InvalidPosition'))
    return { _tag: 'InvalidPosition', reason };
  if (isAway(error)) return { _tag: 'Away', reason };
  if (error instanceof AccessDeniedError || codeOf(error) === status.PERMISSION_DENIED)
    return { _tag: 'Denied', reason: `it refuses the credentials: ${reason}` };
  return error instanceof UnsupportedError || error instanceof TypeError || refusals.includes(codeOf(error))
    ? { _tag: 'Refused', reason }
    : { _tag: 'Away', reason };
};
