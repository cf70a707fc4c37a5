import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Address, Endpoint } from './address.js';
import type { CallFailure } from './errors.js';

/** Why the server is unavailable, for operators. */
export interface ConnectionError {
  /** What is wrong and what to do about it. */
  readonly message: string;
  /** Whether it may end without a change of the configuration. */
  readonly isTransient: boolean;
}

const permanent = (message: string): ConnectionError => ({ message, isTransient: false });

/** Removes the text that gRPC adds around the reason of a failed connection. */
const plain = (reason: string): string =>
  reason
    .replace(/^\d+ [A-Z_]+: /, '')
    .replace(/^No connection established\. Last error: /, '')
    .replace(/\s*Resolution note:.*$/s, '');

const written = ({ address, port }: Endpoint): string => `${address}:${port}`;

export const unreachable = ({ endpoints }: Address, { reason }: CallFailure): ConnectionError => ({
  message: `the event store cannot be reached at ${endpoints.map(written).join(', ')}: ${plain(reason)}`,
  isTransient: true,
});

/** The description of a failure that only another configuration can solve; null for any other. */
export const describeFailure = ({ _tag, reason }: CallFailure, { credentials }: Address): ConnectionError | null => {
  const user = credentials === null ? 'the user of the certificate' : `the user "${credentials.username}"`;
  const fails = (what: string): ConnectionError => permanent(`the event store ${what} (${plain(reason)})`);
  if (_tag === 'NotAuthenticated')
    return fails(`refuses the credentials of ${user}: correct the user and password in EVENT_STORE`);
  return _tag === 'Denied'
    ? fails(`does not let ${user} read the whole log ($all): give it that right, or name another user in EVENT_STORE`)
    : null;
};

const tlsTimeoutMs = 1_500;

/** Errors of a server that was reached but does not speak TLS. */
const notEncrypted = new Set<unknown>(['EPROTO', 'ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPIPE']);

/**
 * The fault of an endpoint that the start of a TLS connection reveals; null for none, or without a connection. No data is
 * sent over this connection, so it may be made to an untrusted server.
 */
const tlsFault = async (
  { address, port }: Endpoint,
  { tls, tlsVerifyCert, tlsCAFile: ca }: Address,
  closing: AbortSignal,
): Promise<string | null> => {
  const host = address.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port,
    ...(ca === undefined ? {} : { ca }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  }).on('error', constVoid);
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.any([closing, AbortSignal.timeout(tlsTimeoutMs)]) });
  } catch (error) {
    return tls && error instanceof Error && 'code' in error && notEncrypted.has(error.code)
      ? 'does not use TLS: set tls=false in EVENT_STORE, or let the server use TLS'
      : null;
  } finally {
    socket.destroy();
  }
  if (!tls) return 'uses TLS: remove tls=false from EVENT_STORE';
  if (!tlsVerifyCert || socket.authorized) return null;
  const remedy =
    ca === undefined
      ? 'name the file of its authority with tlsCAFile in EVENT_STORE'
      : 'the tlsCAFile in EVENT_STORE is not its authority, or its host or date is wrong';
  return `has a certificate that is not trusted (${String(socket.authorizationError)}): ${remedy}, or switch the check off with tlsVerifyCert=false`;
};

/**
 * Checks an unavailable server for faults that only a change of the configuration can fix: a certificate that is not
 * trusted, or TLS on one side only. Null if there is none.
 */
export const diagnose = async (address: Address, closing: AbortSignal): Promise<ConnectionError | null> => {
  for (const endpoint of address.endpoints) {
    const fault = await tlsFault(endpoint, address, closing);
    if (fault !== null) return permanent(`the event store at ${written(endpoint)} ${fault}`);
  }
  return null;
};
