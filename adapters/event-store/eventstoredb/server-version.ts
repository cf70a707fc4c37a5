import * as E from 'fp-ts/lib/Either.js';
import type { Log } from '../../../application/ports/log.js';
import type { Connection } from './connection.js';

const withCheckpointBeyondAll = /^(?:24\.2\.0|24\.6\.0|24\.10\.[0-4])(?:\D|$)/;
const withCheckpointAhead = /^25\.0\.0(?:\D|$)/;

/** The known fault of a version and what to do about it; null if none is known that matters here. */
const knownFault = (version: string): string | null => {
  if (withCheckpointBeyondAll.test(version))
    return `EventStoreDB ${version} sends readers of a new log a position beyond its end; this service ignores it, other programs that read the log may miss every event: upgrade the server to 24.10.5 or later`;
  if (withCheckpointAhead.test(version))
    return `KurrentDB ${version} sends readers of the log a position that is one event too far; this service ignores it, other programs that read the log may miss events: upgrade the server to 25.0.1 or later`;
  return null;
};

export interface VersionCheck {
  /** Asks the server for its version; logs a known fault of it once. */
  readonly learn: () => Promise<void>;
  /** The known fault; null if there is none, or the version is unknown. */
  readonly warning: () => string | null;
}

export const createVersionCheck = (connection: Connection, log: Log): VersionCheck => {
  let known: string | null = null;
  let warning: string | null = null;
  return {
    learn: async () => {
      const answer = await connection.call((client, deadline) => client.features(deadline));
      if (E.isLeft(answer) || answer.right.version === null || answer.right.version === known) return;
      known = answer.right.version;
      warning = knownFault(known);
      if (warning !== null) log.warn('the event store has a known fault', { reason: warning });
    },
    warning: () => warning,
  };
};
