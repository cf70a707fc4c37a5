import { WrongExpectedVersionError } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import type { ExpectedRevision, StoreUnavailable } from '../../../application/ports/event-store.js';

/** What the error of a call says. */
interface Judgement {
  /** `unclear` until another call is made. */
  readonly concerns: 'all calls' | 'this call' | 'unclear';
  /** Whether the same call may succeed a moment later. */
  readonly isTransient: boolean;
}

interface Rule extends Judgement {
  readonly _tag: string;
  /** The errors that it is for: by the client's name of them, their text, or their gRPC code (null: they have none). */
  readonly type?: string;
  readonly text?: RegExp;
  readonly codes?: ReadonlyArray<number | null>;
}

/** Nothing was done, and trying again would not help. */
const refused = { _tag: 'Refused', concerns: 'this call', isTransient: false } as const;

/** The first rule that is for an error judges it; all others are `refused`. */
const rules = [
  { ...refused, _tag: 'NoStream', type: 'stream-not-found' },
  { ...refused, _tag: 'WrongRevision', type: 'wrong-expected-version' },
  /** There is no event at the position from which to read. */
  { ...refused, _tag: 'InvalidPosition', text: /InvalidPosition/ },
  { ...refused, _tag: 'TooLarge', text: /maximum append (?:event )?size/i },
  /** The user may do other things. */
  { ...refused, _tag: 'Denied', codes: [status.PERMISSION_DENIED] },
  /** The server rejects the user or the password: no other call would succeed. */
  { _tag: 'NotAuthenticated', concerns: 'all calls', isTransient: false, codes: [status.UNAUTHENTICATED] },
  /** Another node leads; the client connects to it next. Nothing was done. */
  { _tag: 'NotLeader', concerns: 'all calls', isTransient: true, type: 'not-leader' },
  /** The server answers, but has too much to do, or does not know the outcome of this call: it may have succeeded. */
  {
    _tag: 'Failed',
    concerns: 'this call',
    isTransient: true,
    text: /too busy/i,
    codes: [status.UNKNOWN, status.ABORTED, status.RESOURCE_EXHAUSTED, status.DATA_LOSS],
  },
  /** The server cannot be reached or is not ready: the outcome of the call is unknown. */
  {
    _tag: 'Away',
    concerns: 'all calls',
    isTransient: true,
    text: /^failed to discover/i,
    codes: [status.UNAVAILABLE],
  },
  /** No answer came before the deadline or before the call broke: the outcome and the server's state are unknown. */
  {
    _tag: 'NoAnswer',
    concerns: 'unclear',
    isTransient: true,
    codes: [status.DEADLINE_EXCEEDED, status.CANCELLED, status.INTERNAL, null],
  },
] as const satisfies ReadonlyArray<Rule>;

/** Why a call to the server failed, as far as the caller needs to know. */
export interface CallFailure extends Judgement {
  readonly _tag: (typeof rules)[number]['_tag'] | 'Refused';
  readonly reason: string;
  /** The revision of the stream, if the expected one was wrong. */
  readonly actual?: ExpectedRevision;
}

/** Judges an error of the client, or anything else that was thrown. */
export const callFailureOf = (thrown: unknown): CallFailure => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const reason = error.message.split('\n')[0] ?? '';
  const name = 'type' in error ? error.type : null;
  const code = 'code' in error && typeof error.code === 'number' ? error.code : null;
  const isFor = ({ type, text, codes }: Rule): boolean =>
    (type !== undefined && type === name) || text?.test(reason) === true || codes?.includes(code) === true;
  const { _tag, concerns, isTransient } = rules.find(isFor) ?? refused;
  const failure = { _tag, concerns, isTransient, reason };
  if (!(error instanceof WrongExpectedVersionError)) return failure;
  const { actualVersion } = error;
  return { ...failure, actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : 'no_stream' };
};

/** A call that was not made. */
export const notMade = (reason: string): CallFailure => ({ ...refused, reason });

/** A failed call as a failure of the port. */
export const unavailable = (reason: string): StoreUnavailable => ({ _tag: 'StoreUnavailable', reason });
