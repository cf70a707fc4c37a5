import { createHash } from 'node:crypto';
import { continuations } from '../../../domain/matching/continuations.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import { type Application, type RequestEvent, aggregates } from '../../../application/application.js';
import { application } from '../../../application/reactions/run.js';
import type { Caller, RequestContext } from '../../../application/commands/context.js';
import type { EventStore, StoredEvent } from '../../../application/ports/event-store.js';
import type { Ids } from '../../../application/ports/ids.js';
import type { PersonalKeys } from '../../../application/ports/key-vault.js';
import type { Log } from '../../../application/ports/log.js';
import { EventMetadata } from '../../../domain/kernel/recorded-event.js';
import { accountId, at, keyId } from '../values.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const uuidOf = (text: string): string => {
  const hex = hash(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Ids that are the same in every run of a test: the n-th of a seed. */
const deterministicIds = (seed: string): Ids => {
  let made = 0;
  const next = (): string => `${seed} ${(made += 1)}`;
  return {
    random: () => uuidOf(next()),
    derived: (cause, name) => uuidOf(`${cause}/${name}`),
    digest: hash,
    secret: () => hash(`secret ${next()}`),
    token: () => hash(`token ${next()}`),
  };
};

/** Key functions for a log without sealed events; `digest` returns that of the ids. */
const noPersonalKeys = (digest: (text: string) => string): PersonalKeys => ({
  erase: () => TE.right(undefined),
  isThere: () => TE.right(false),
  isLogSealed: () => TE.right(true),
  digest: (_subject, text) => TE.right(digest(text)),
});

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
      ? [{ position, stream, revision, event_id, correlation_id: request_id, causation_id: metadata.causation_id }]
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
      compare: (earlier, newer) => () => Promise.resolve(continuations(earlier, newer)),
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
