import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import { type Application, type RequestEvent, aggregates } from '../../../application/application.js';
import { application } from '../../../application/reactions/run.js';
import type { EventStore, StoredEvent } from '../../../application/ports/event-store.js';

import { EventMetadata } from '../../../domain/kernel/recorded-event.js';
import { noPersonalKeys } from './no-personal-keys.js';
import type { Log } from '../../../application/ports/log.js';
import type { Caller, RequestContext } from '../../../application/commands/context.js';
import { accountId, at, keyId } from '../values.js';
import { deterministicIds } from './ids.js';

/** An application on a store, with a clock that the test controls. */
export interface World {
  readonly app: Application;
  /** The log entries, each as `message: facts`. */
  readonly logged: string[];
  /** Advances the clock. */
  readonly pass: (seconds: number) => void;
  readonly now: () => number;
  /** The context of a request at the current time. */
  readonly request: (parts?: Partial<RequestContext>) => RequestContext;
}

export const owner: Caller = {
  key_id: keyId('key'),
  account_id: accountId('owner'),
  admin: false,
  permissions: new Set(['WORKER']),
  expires_at: null,
  maker_id: keyId('environment:tests'),
};

const linksOf = (events: ReadonlyArray<StoredEvent>, request_id: string): ReadonlyArray<RequestEvent> =>
  events.flatMap(({ position, stream, revision, id: event_id, metadata }) =>
    EventMetadata.is(metadata) && metadata.correlation_id === request_id
      ? [{ position, stream, revision, event_id, causation_id: metadata.causation_id }]
      : [],
  );

const remembering = (logged: string[]): Log => {
  const note = (message: string, facts = {}): void => void logged.push(`${message}: ${JSON.stringify(facts)}`);
  return { info: note, warn: note, error: note };
};

export const world = (store: EventStore, seed = 'world'): World => {
  const ids = deterministicIds(seed);
  const logged: string[] = [];
  let seconds = 0;
  return {
    app: application({
      ...aggregates(store),
      store,
      requestEvents: (streams, request_id) =>
        pipe(
          TE.traverseSeqArray((stream: string) => store.read(stream, -1, 10_000))(streams),
          TE.map((found) => linksOf(found.flat(), request_id)),
        ),
      onErasure: constVoid,
      ids,
      clock: { now: () => at(seconds) },
      log: remembering(logged),
      keys: noPersonalKeys(ids.digest),
      reacted: new LRUCache({ max: 1_000 }),
      onRunStarted: constVoid,
      stale_seconds: 900,
    }),
    logged,
    pass: (more) => void (seconds += more),
    now: () => seconds,
    request: (parts = {}) => ({
      caller: owner,
      request_id: ids.random(),
      at: at(seconds),
      if_match: null,
      onWrite: () => undefined,
      onKeyWrite: () => undefined,
      requireVisible: () => undefined,
      ...parts,
    }),
  };
};
