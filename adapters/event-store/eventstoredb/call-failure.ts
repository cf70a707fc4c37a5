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

/** Why a call to the server failed, as far as it matters to who called. */
export type CallFailure =
  /** The server cannot be reached, or is not ready to serve anybody: whether it did what was asked is not known. */
  | { readonly _tag: 'Away'; readonly reason: string }
  /** The server is known to be away; nothing was sent. */
  | { readonly _tag: 'NotSent'; readonly reason: string }
  /** No answer came, in time or before the call broke: of the server, as of what was asked, nothing is known. */
  | { readonly _tag: 'NoAnswer'; readonly reason: string }
  /** The server answers, but could not tell what became of this call: it may have been carried out. */
  | { readonly _tag: 'Failed'; readonly reason: string }
  /** The server has too much to do. Nothing was done. */
  | { readonly _tag: 'Busy'; readonly reason: string }
  /** Another node leads; the client goes there next. Nothing was done. */
  | { readonly _tag: 'NotLeader'; readonly reason: string }
  /** The server does not know the user, or not the password. Nothing was done, whatever is asked. */
  | { readonly _tag: 'NotAuthenticated'; readonly reason: string }
  /** The user may not do this, but may do other things. Nothing was done. */
  | { readonly _tag: 'Denied'; readonly reason: string }
  /** There is no event at the position that a reading was to begin from. */
  | { readonly _tag: 'InvalidPosition'; readonly reason: string }
  /** The server takes no append of this size. Nothing was done. */
  | { readonly _tag: 'TooLarge'; readonly reason: string }
  /** Nothing was done, and trying again would not help. */
  | { readonly _tag: 'Refused'; readonly reason: string }
  | { readonly _tag: 'NoStream' }
  | { readonly _tag: 'WrongRevision'; readonly actual: number | 'no_stream' };

type Described = Extract<CallFailure, { readonly reason: string }>['_tag'];

/** What a code of gRPC means, unless the text says more. */
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

/** Texts that say more than their code, whatever it is. */
const byText: ReadonlyArray<readonly [RegExp, Described]> = [
  [/InvalidPosition/, 'InvalidPosition'],
  [/maximum append (?:event )?size|attempted to send message (?:with a size )?larger than/i, 'TooLarge'],
  [/received message larger than/i, 'Refused'],
  [/too busy/i, 'Busy'],
  [/^failed to discover/i, 'Away'],
];

/** A group that fails, or lets a consumer go, concerns nobody else. */
const isOfGroup = (error: Error): boolean =>
  error instanceof PersistentSubscriptionDoesNotExistError ||
  error instanceof PersistentSubscriptionDroppedError ||
  error instanceof PersistentSubscriptionFailedError ||
  error instanceof PersistentSubscriptionMaximumSubscribersReachedError;

const codeOf = (error: object): number | null =>
  'code' in error && typeof error.code === 'number' ? error.code : null;

const firstLine = (text: string): string => text.split('\n')[0] ?? text;

/** The client's name for an error of gRPC; the error itself where the client stumbles over it. */
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
  const told = byText.find(([text]) => text.test(reason));
  if (told !== undefined) return told[1];
  const code = codeOf(error);
  if (error instanceof AccessDeniedError && code !== status.UNAUTHENTICATED) return 'Denied';
  if (error instanceof UnsupportedError || error instanceof InvalidArgumentError || error instanceof TypeError)
    return 'Refused';
  return code === null ? 'NoAnswer' : (byCode[code] ?? 'Failed');
};

/** Names a client's error, or whatever else was thrown; an error of gRPC that the client did not name goes by its code. */
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
 * Whom a failure concerns: all calls, since the server cannot be used now; this call alone, since the server has
 * answered it; or one of these, which only another call can tell.
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
export const mayPass = ({ _tag }: CallFailure): boolean =>
  _tag === 'Away' || _tag === 'NotLeader' || _tag === 'NoAnswer' || _tag === 'Failed' || _tag === 'Busy';
