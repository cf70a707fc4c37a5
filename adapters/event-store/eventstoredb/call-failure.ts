import {
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionDroppedError,
  PersistentSubscriptionFailedError,
  PersistentSubscriptionMaximumSubscribersReachedError,
  StreamNotFoundError,
  UnsupportedError,
  WrongExpectedVersionError,
  convertToCommandError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';

/** Why a call to the server failed, as far as the caller needs to know. */
export type CallFailure =
  /** The server cannot be reached or is not ready: the outcome of the call is unknown. */
  | { readonly _tag: 'Away'; readonly reason: string }
  /** The server is known to be unavailable; nothing was sent. */
  | { readonly _tag: 'NotSent'; readonly reason: string }
  /**
   * No answer came before the deadline or before the call broke: neither the state of the server nor the outcome is
   * known.
   */
  | { readonly _tag: 'NoAnswer'; readonly reason: string }
  /** The server answers, but could not determine the outcome of this call: it may have succeeded. */
  | { readonly _tag: 'Failed'; readonly reason: string }
  /** The server is overloaded. Nothing was done. */
  | { readonly _tag: 'Busy'; readonly reason: string }
  /** Another node leads; the client connects to it next. Nothing was done. */
  | { readonly _tag: 'NotLeader'; readonly reason: string }
  /** The server rejects the user or the password. Nothing was done, and no other call would succeed. */
  | { readonly _tag: 'NotAuthenticated'; readonly reason: string }
  /** The user may not do this, but may do other things. Nothing was done. */
  | { readonly _tag: 'Denied'; readonly reason: string }
  /** There is no event at the position from which to read. */
  | { readonly _tag: 'InvalidPosition'; readonly reason: string }
  /** The append is too large for the server. Nothing was done. */
  | { readonly _tag: 'TooLarge'; readonly reason: string }
  /** Nothing was done, and trying again would not help. */
  | { readonly _tag: 'Refused'; readonly reason: string }
  | { readonly _tag: 'NoStream' }
  | { readonly _tag: 'WrongRevision'; readonly actual: number | 'no_stream' };

type Described = Extract<CallFailure, { readonly reason: string }>['_tag'];

/** The meaning of a gRPC status code, unless the message says more. */
const byCode: Readonly<Record<number, Described>> = {
  [status.CANCELLED]: 'NoAnswer',
  [status.UNKNOWN]: 'Failed',
  [status.INVALID_ARGUMENT]: 'Refused',
  [status.DEADLINE_EXCEEDED]: 'NoAnswer',
  [status.NOT_FOUND]: 'Refused',
  [status.ALREADY_EXISTS]: 'Refused',
  [status.PERMISSION_DENIED]: 'Denied',
  [status.RESOURCE_EXHAUSTED]: 'Busy',
  [status.FAILED_PRECONDITION]: 'Refused',
  [status.ABORTED]: 'Failed',
  [status.OUT_OF_RANGE]: 'Refused',
  [status.UNIMPLEMENTED]: 'Refused',
  [status.INTERNAL]: 'NoAnswer',
  [status.UNAVAILABLE]: 'Away',
  [status.DATA_LOSS]: 'Failed',
  [status.UNAUTHENTICATED]: 'NotAuthenticated',
};

/** Messages that say more than their status code. */
const byMessage: ReadonlyArray<readonly [RegExp, Described]> = [
  [/InvalidPosition/, 'InvalidPosition'],
  [/maximum append (?:event )?size|attempted to send message (?:with a size )?larger than/i, 'TooLarge'],
  [/received message larger than/i, 'Refused'],
  [/too busy/i, 'Busy'],
  [/^failed to discover/i, 'Away'],
];

/** Errors of a persistent subscription group; they do not concern other calls. */
const isOfGroup = (error: Error): boolean =>
  error instanceof PersistentSubscriptionDoesNotExistError ||
  error instanceof PersistentSubscriptionDroppedError ||
  error instanceof PersistentSubscriptionFailedError ||
  error instanceof PersistentSubscriptionMaximumSubscribersReachedError;

const codeOf = (error: object): number | null =>
  'code' in error && typeof error.code === 'number' ? error.code : null;

const firstLine = (text: string): string => text.split('\n')[0] ?? text;

/** The client's typed error for a gRPC error; the error itself if the client fails to convert it. */
const named = (error: Error): Error => {
  try {
    return convertToCommandError(error);
  } catch {
    return error;
  }
};

const kindOf = (error: Error, reason: string): Described => {
  if (isOfGroup(error)) return 'Refused';
  if (error instanceof NotLeaderError) return 'NotLeader';
  if (error instanceof MaxAppendSizeExceededError) return 'TooLarge';
  const known = byMessage.find(([text]) => text.test(reason));
  if (known !== undefined) return known[1];
  const code = codeOf(error);
  if (error instanceof AccessDeniedError && code !== status.UNAUTHENTICATED) return 'Denied';
  if (error instanceof UnsupportedError || error instanceof InvalidArgumentError || error instanceof TypeError)
    return 'Refused';
  return code === null ? 'NoAnswer' : (byCode[code] ?? 'Failed');
};

/**
 * Classifies an error of the client or anything else that was thrown. A gRPC error without a type of its own is
 * classified by its status code.
 */
export const callFailureOf = (thrown: unknown): CallFailure => {
  if (!(thrown instanceof Error)) return { _tag: 'NoAnswer', reason: String(thrown) };
  const error = named(thrown);
  if (error instanceof WrongExpectedVersionError) {
    const { actualVersion } = error;
    return { _tag: 'WrongRevision', actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : 'no_stream' };
  }
  if (error instanceof StreamNotFoundError) return { _tag: 'NoStream' };
  const reason = firstLine(error.message);
  return { _tag: kindOf(error, reason), reason };
};

/**
 * What a failure concerns: all calls, because the server is unavailable; only this call, because the server answered
 * it; or unclear, until another call is made.
 */
export const concernOf = ({ _tag }: CallFailure): 'all calls' | 'this call' | 'unclear' => {
  switch (_tag) {
    case 'Away':
    case 'NotLeader':
    case 'NotAuthenticated':
      return 'all calls';
    case 'NoAnswer':
      return 'unclear';
    case 'NotSent':
    case 'Failed':
    case 'Busy':
    case 'Denied':
    case 'InvalidPosition':
    case 'TooLarge':
    case 'Refused':
    case 'NoStream':
    case 'WrongRevision':
      return 'this call';
  }
};

/** Whether the same call may succeed a moment later. */
export const isTransient = ({ _tag }: CallFailure): boolean =>
  _tag === 'Away' || _tag === 'NotLeader' || _tag === 'NoAnswer' || _tag === 'Failed' || _tag === 'Busy';
