import type { Metadata, ServiceError } from '@grpc/grpc-js';
import type { Address } from '../../../adapters/eventstoredb-endpoint/discovery.js';
import type { EventLog } from '../../../adapters/event-store/sqlite/open.js';
import type { Behaviour } from '../event-store/versions.js';
import type { Appender } from './append.js';
import { notLeader } from './errors.js';
import type { Authenticate } from '../../../adapters/eventstoredb-endpoint/start-server.js';
import type { ServedLog } from '../../../adapters/eventstoredb-endpoint/reading.js';

/** What the calls of a test server share. */
export interface Imitation {
  readonly log: ServedLog;
  readonly behaviour: Behaviour;
  readonly appender: Appender;
  readonly write: EventLog['writer']['write'];
  /** Why a call is refused; null if it is allowed. */
  readonly refusal: (metadata: Metadata, kind: 'read' | 'write') => ServiceError | null;
}

/** A follower refuses what only the leader may answer. */
export const refusals =
  (authenticate: Authenticate, leader: () => Address | null): Imitation['refusal'] =>
  (metadata, kind) => {
    const elsewhere = leader();
    const needsLeader = kind === 'write' || metadata.get('requires-leader')[0] === 'true';
    return authenticate(metadata) ?? (elsewhere !== null && needsLeader ? notLeader(elsewhere) : null);
  };
