import { connect } from 'node:tls';
import type { Address, Endpoint } from './address.js';

/** Why the server is unavailable. */
export interface Trouble {
  /** What is wrong and what to do about it. */
  readonly words: string;
  /** Whether it may end without a change of the configuration. */
  readonly passing: boolean;
}

/** What the start of a TLS connection reveals about a server. */
type Seen =
  /** Null if the certificates are valid, else why they are not. */
  | { readonly _tag: 'Encrypted'; readonly fault: string | null }
  | { readonly _tag: 'NotEncrypted' }
  | { readonly _tag: 'NoConnection' };

const timeoutMs = 1_500;

/** Errors of a server that was reached but does not speak TLS. */
const notEncrypted = ['EPROTO', 'ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPIPE'];

const probeTls = ({ address: host, port }: Endpoint, ca: Buffer | undefined, closing: AbortSignal): Promise<Seen> =>
  new Promise((resolve) => {
    // No data is sent over this connection, so it may be made to an untrusted server in order to find out what is
    // wrong.
    const socket = connect({
      host,
      port,
      ...(ca === undefined ? {} : { ca }),
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    });
    let connected = false;
    const end = (seen: Seen): void => {
      clearTimeout(late);
      closing.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(seen);
    };
    const giveUp = (): void => end({ _tag: 'NoConnection' });
    const late = setTimeout(giveUp, timeoutMs);
    closing.addEventListener('abort', giveUp, { once: true });
    if (closing.aborted) giveUp();
    socket.once('connect', () => {
      connected = true;
    });
    socket.once('secureConnect', () => {
      const { authorized, authorizationError: fault } = socket;
      end({ _tag: 'Encrypted', fault: authorized ? null : String(fault) });
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      end(connected && notEncrypted.includes(error.code ?? '') ? { _tag: 'NotEncrypted' } : { _tag: 'NoConnection' }),
    );
  });

/**
 * Checks an unavailable server for faults that only a change of the configuration can fix: a certificate that is not
 * trusted, or TLS on one side only. Null if there is none.
 */
export const diagnose = async (
  { endpoints, tls, tls_verify, tls_ca_file }: Address,
  ca: Buffer | undefined,
  closing: AbortSignal,
): Promise<Trouble | null> => {
  for (const endpoint of endpoints) {
    const at = `the event store at ${endpoint.address}:${endpoint.port}`;
    const seen = await probeTls(endpoint, ca, closing);
    if (seen._tag === 'NotEncrypted' && tls)
      return {
        words: `${at} does not use TLS: set tls=false in EVENT_STORE, or let the server use TLS`,
        passing: false,
      };
    if (seen._tag === 'Encrypted' && !tls)
      return { words: `${at} uses TLS: remove tls=false from EVENT_STORE`, passing: false };
    if (seen._tag === 'Encrypted' && tls_verify && seen.fault !== null)
      return {
        words: `${at} has a certificate that is not trusted (${seen.fault}): ${
          tls_ca_file === null
            ? 'name the file of its authority with tlsCAFile in EVENT_STORE'
            : `tlsCAFile=${tls_ca_file} is not its authority, or its host or date is wrong`
        }, or switch the check off with tlsVerifyCert=false`,
        passing: false,
      };
  }
  return null;
};
