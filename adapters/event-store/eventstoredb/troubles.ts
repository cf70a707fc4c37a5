import { hostInAddress } from '../../runtime/server-address.js';
import type { Log } from '../../../application/ports/log.js';
import type { Address } from './address.js';
import type { CallFailure } from './call-failure.js';
import { type Trouble, diagnose } from './diagnose.js';

/** Describes to operators why the server is unavailable. */
export interface Troubles {
  readonly current: () => Trouble | null;
  /** Call this when the server was lost; looks for the cause. */
  readonly look: (reason: string) => void;
  /** Call this for each failed attempt to reconnect. */
  readonly failed: (failure: CallFailure) => void;
  /** Call this when no attempt could be made, for this reason. */
  readonly prevented: (reason: string) => void;
  readonly over: () => void;
  readonly close: () => void;
}

/** Removes the text that gRPC adds around the reason of a failed connection. */
const plain = (reason: string): string =>
  reason
    .replace(/^\d+ [A-Z_]+: /, '')
    .replace(/^No connection established\. Last error: /, '')
    .replace(/\s*Resolution note:.*$/s, '');

const hostsOf = ({ endpoints }: Address): string =>
  endpoints.map(({ address, port }) => `${hostInAddress(address)}:${port}`).join(', ');

/** The description of a failure whose cause is clear; null for any other. */
export const troubleOf = (failure: CallFailure, { credentials }: Address): Trouble | null => {
  const user = credentials === null ? 'the user of the certificate' : `the user "${credentials.username}"`;
  if (failure._tag === 'NotAuthenticated')
    return {
      words: `the event store refuses the credentials of ${user}: correct the user and password in EVENT_STORE (${plain(failure.reason)})`,
      passing: false,
    };
  if (failure._tag === 'Denied')
    return {
      words: `the event store does not let ${user} read the whole log ($all): give it that right, or name another user in EVENT_STORE (${plain(failure.reason)})`,
      passing: false,
    };
  return null;
};

export const createTroubles = (address: Address, authority: Buffer | undefined, log: Log): Troubles => {
  const closing = new AbortController();
  let trouble: Trouble | null = null;
  let outage = 0;
  return {
    current: () => trouble,
    look: (reason) => {
      outage += 1;
      const looked = outage;
      trouble ??= {
        words: `the event store cannot be reached at ${hostsOf(address)}: ${plain(reason)}`,
        passing: true,
      };
      void diagnose(address, authority, closing.signal).then((found) => {
        if (looked !== outage || found === null || trouble === null) return;
        trouble = found;
        log.warn('the event store cannot be used', { reason: found.words });
      });
    },
    failed: (failure) => {
      trouble = troubleOf(failure, address) ?? trouble;
    },
    prevented: (reason) => {
      if (trouble?.words === reason) return;
      trouble = { words: reason, passing: true };
      log.warn('the event store cannot be used', { reason });
    },
    over: () => {
      outage += 1;
      trouble = null;
    },
    close: () => closing.abort(),
  };
};
