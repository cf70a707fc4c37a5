import { connect } from 'node:tls';
import type { Address, Endpoint } from './address.js';

/** Why the server cannot be used. */
export interface Trouble {
  /** What is wrong, and what to do about it. */
  readonly words: string;
  /** Whether it may end without a change of the configuration. */
  readonly passing: boolean;
}

/** What the first bytes of an encrypted connection tell of a server. */
type Seen =
  /** Certificates are sound, or why they are not. */
  | { readonly _tag: 'Encrypted'; readonly fault: string | null }
  | { readonly _tag: 'NotEncrypted' }
  | { readonly _tag: 'NoConnection' };

const patience_ms = 1_500;

/** Errors of a server that was reached but did not answer as one that encrypts. */
const notEncrypted = ['EPROTO', 'ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPIPE'];

const look = ({ address: host, port }: Endpoint, ca: Buffer | undefined, closing: AbortSignal): Promise<Seen> =>
  new Promise((resolve) => {
    // Nothing is sent over this connection: it may be made before the certificate is trusted, to say what is wrong.
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
    const late = setTimeout(giveUp, patience_ms);
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
 * Looks at a server that cannot be used for what no change but one of the configuration mends: a certificate that is
 * not trusted, or encryption that only one side wants. Null when it is none of these.
 */
export const diagnose = async (
  { endpoints, tls, tls_verify, tls_ca_file }: Address,
  ca: Buffer | undefined,
  closing: AbortSignal,
): Promise<Trouble | null> => {
  for (const endpoint of endpoints) {
    const at = `the event store at ${endpoint.address}:${endpoint.port}`;
    const seen = await look(endpoint, ca, closing);
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
