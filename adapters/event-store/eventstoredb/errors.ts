import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import {
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  convertToCommandError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { ExpectedRevision } from '../../../application/ports/event-store.js';
import { hostInAddress } from '../../runtime/connections.js';
import type { Address, Endpoint } from './address.js';

/** What a failure concerns: `unclear` until another call is made. */
type Concern = 'all calls' | 'this call' | 'unclear';

/** Why a call to the server failed: what that concerns, and whether the same call may succeed a moment later. */
const kinds = {
  /** The server cannot be reached or is not ready: the outcome of the call is unknown. */
  Away: { concern: 'all calls', isTransient: true },
  /** The server is known to be unavailable; nothing was sent. */
  NotSent: { concern: 'this call', isTransient: false },
  /** No answer came before the deadline or before the call broke: the outcome and the server's state are unknown. */
  NoAnswer: { concern: 'unclear', isTransient: true },
  /** The server answers, but could not determine the outcome of this call: it may have succeeded. */
  Failed: { concern: 'this call', isTransient: true },
  /** The server is overloaded. Nothing was done. */
  Busy: { concern: 'this call', isTransient: true },
  /** Another node leads; the client connects to it next. Nothing was done. */
  NotLeader: { concern: 'all calls', isTransient: true },
  /** The server rejects the user or the password. Nothing was done, and no other call would succeed. */
  NotAuthenticated: { concern: 'all calls', isTransient: false },
  /** The user may not do this, but may do other things. Nothing was done. */
  Denied: { concern: 'this call', isTransient: false },
  /** There is no event at the position from which to read. */
  InvalidPosition: { concern: 'this call', isTransient: false },
  /** The append is too large for the server. Nothing was done. */
  TooLarge: { concern: 'this call', isTransient: false },
  /** Nothing was done, and trying again would not help. */
  Refused: { concern: 'this call', isTransient: false },
  NoStream: { concern: 'this call', isTransient: false },
  WrongRevision: { concern: 'this call', isTransient: false },
} as const satisfies Readonly<Record<string, { readonly concern: Concern; readonly isTransient: boolean }>>;

type Kind = keyof typeof kinds;

/** Why a call to the server failed, as far as the caller needs to know. */
export interface CallFailure {
  readonly _tag: Kind;
  readonly reason: string;
  /** The revision of the stream, if the expected one was wrong. */
  readonly actual?: ExpectedRevision;
}

export const concernOf = ({ _tag }: CallFailure): Concern => kinds[_tag].concern;

export const isTransient = ({ _tag }: CallFailure): boolean => kinds[_tag].isTransient;

/** The meaning of a gRPC status code, unless the message says more; `Failed` for all others. */
const byCode: Readonly<Record<number, Kind>> = {
  [status.CANCELLED]: 'NoAnswer',
  [status.INVALID_ARGUMENT]: 'Refused',
  [status.DEADLINE_EXCEEDED]: 'NoAnswer',
  [status.NOT_FOUND]: 'Refused',
  [status.ALREADY_EXISTS]: 'Refused',
  [status.PERMISSION_DENIED]: 'Denied',
  [status.RESOURCE_EXHAUSTED]: 'Busy',
  [status.FAILED_PRECONDITION]: 'Refused',
  [status.OUT_OF_RANGE]: 'Refused',
  [status.UNIMPLEMENTED]: 'Refused',
  [status.INTERNAL]: 'NoAnswer',
  [status.UNAVAILABLE]: 'Away',
  [status.UNAUTHENTICATED]: 'NotAuthenticated',
};

/** Messages that say more than their status code. */
const byMessage: ReadonlyArray<readonly [RegExp, Kind]> = [
  [/InvalidPosition/, 'InvalidPosition'],
  [/maximum append (?:event )?size|attempted to send message (?:with a size )?larger than/i, 'TooLarge'],
  [/received message larger than/i, 'Refused'],
  [/too busy/i, 'Busy'],
  [/^failed to discover/i, 'Away'],
];

const byType: ReadonlyArray<readonly [abstract new (...given: never[]) => Error, Kind]> = [
  [StreamNotFoundError, 'NoStream'],
  [WrongExpectedVersionError, 'WrongRevision'],
  [NotLeaderError, 'NotLeader'],
  [MaxAppendSizeExceededError, 'TooLarge'],
  [InvalidArgumentError, 'Refused'],
  [TypeError, 'Refused'],
];

/** The client's typed error for a gRPC error; the error itself if the client fails to convert it. */
const typed = (error: Error): Error => {
  try {
    return convertToCommandError(error);
  } catch {
    return error;
  }
};

const kindOf = (error: Error, reason: string): Kind => {
  const known = byType.find(([type]) => error instanceof type) ?? byMessage.find(([text]) => text.test(reason));
  if (known !== undefined) return known[1];
  const code = 'code' in error && typeof error.code === 'number' ? error.code : null;
  if (error instanceof AccessDeniedError && code !== status.UNAUTHENTICATED) return 'Denied';
  return code === null ? 'NoAnswer' : (byCode[code] ?? 'Failed');
};

/**
 * Classifies an error of the client or anything else that was thrown. A gRPC error without a type of its own is
 * classified by its status code.
 */
export const callFailureOf = (thrown: unknown): CallFailure => {
  if (!(thrown instanceof Error)) return { _tag: 'NoAnswer', reason: String(thrown) };
  const error = typed(thrown);
  const reason = error.message.split('\n')[0] ?? '';
  const failure = { _tag: kindOf(error, reason), reason };
  if (!(error instanceof WrongExpectedVersionError)) return failure;
  const { actualVersion } = error;
  return { ...failure, actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : 'no_stream' };
};

/** Why the server is unavailable, for operators. */
export interface ConnectionError {
  /** What is wrong and what to do about it. */
  readonly message: string;
  /** Whether it may end without a change of the configuration. */
  readonly isTransient: boolean;
}

/** Removes the text that gRPC adds around the reason of a failed connection. */
const plain = (reason: string): string =>
  reason
    .replace(/^\d+ [A-Z_]+: /, '')
    .replace(/^No connection established\. Last error: /, '')
    .replace(/\s*Resolution note:.*$/s, '');

export const unreachable = ({ endpoints }: Address, reason: string): ConnectionError => {
  const hosts = endpoints.map(({ address, port }) => `${hostInAddress(address)}:${port}`).join(', ');
  return { message: `the event store cannot be reached at ${hosts}: ${plain(reason)}`, isTransient: true };
};

/** The description of a failure that only another configuration can solve; null for any other. */
export const describeFailure = ({ _tag, reason }: CallFailure, { credentials }: Address): ConnectionError | null => {
  const user = credentials === null ? 'the user of the certificate' : `the user "${credentials.username}"`;
  const fails = (message: string): ConnectionError => ({
    message: `the event store ${message} (${plain(reason)})`,
    isTransient: false,
  });
  if (_tag === 'NotAuthenticated')
    return fails(`refuses the credentials of ${user}: correct the user and password in EVENT_STORE`);
  return _tag === 'Denied'
    ? fails(`does not let ${user} read the whole log ($all): give it that right, or name another user in EVENT_STORE`)
    : null;
};

const tlsTimeoutMs = 1_500;

/** Errors of a server that was reached but does not speak TLS. */
const notEncrypted = new Set(['EPROTO', 'ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPIPE']);

/**
 * What the start of a TLS connection reveals about a server: that it does not speak TLS, that its certificates are
 * valid (null), or why they are not; `unknown` without a connection. No data is sent over this connection, so it may be
 * made to an untrusted server.
 */
const probeTls = async (
  { address: host, port }: Endpoint,
  ca: Buffer | undefined,
  closing: AbortSignal,
): Promise<'unknown' | 'not encrypted' | { readonly fault: string | null }> => {
  const socket = connect({
    host,
    port,
    ...(ca === undefined ? {} : { ca }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  });
  let connected = false;
  socket.once('connect', () => {
    connected = true;
  });
  socket.on('error', constVoid);
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.any([closing, AbortSignal.timeout(tlsTimeoutMs)]) });
    return { fault: socket.authorized ? null : String(socket.authorizationError) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return connected && notEncrypted.has(code) ? 'not encrypted' : 'unknown';
  } finally {
    socket.destroy();
  }
};

/**
 * Checks an unavailable server for faults that only a change of the configuration can fix: a certificate that is not
 * trusted, or TLS on one side only. Null if there is none.
 */
export const diagnose = async (
  { endpoints, tls, tls_verify, tls_ca_file }: Address,
  ca: Buffer | undefined,
  closing: AbortSignal,
): Promise<ConnectionError | null> => {
  for (const endpoint of endpoints) {
    const at = `the event store at ${endpoint.address}:${endpoint.port}`;
    const result = await probeTls(endpoint, ca, closing);
    const fails = (message: string): ConnectionError => ({ message: `${at} ${message}`, isTransient: false });
    if (result === 'unknown') continue;
    if (result === 'not encrypted') {
      if (tls) return fails('does not use TLS: set tls=false in EVENT_STORE, or let the server use TLS');
    } else if (!tls) return fails('uses TLS: remove tls=false from EVENT_STORE');
    else if (tls_verify && result.fault !== null) {
      const remedy =
        tls_ca_file === ''
          ? 'name the file of its authority with tlsCAFile in EVENT_STORE'
          : `tlsCAFile=${tls_ca_file} is not its authority, or its host or date is wrong`;
      return fails(
        `has a certificate that is not trusted (${result.fault}): ${remedy}, or switch the check off with tlsVerifyCert=false`,
      );
    }
  }
  return null;
};
