import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Failure } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';

/** A point in a record's history: after a revision, at a time, or now. */
export type PointInHistory =
  | { readonly kind: 'revision'; readonly revision: number }
  | { readonly kind: 'time'; readonly time: Timestamp }
  | { readonly kind: 'now' };

/** Whether an event had happened at a point in history. */
export const isWithin = ({ revision, metadata }: RecordedEvent<DomainEvent>, until: PointInHistory): boolean => {
  switch (until.kind) {
    case 'revision':
      return revision <= until.revision;
    case 'time':
      return metadata.recorded_at <= until.time;
    case 'now':
      return true;
  }
};

/**
 * The next events of a stream after a revision (-1: from the first), at most `limit`. With `maxBytes`, fewer where they are
 * large, but at least one if there is any.
 */
export const readHistoryPage = (
  store: EventStore,
  stream: string,
  after: number,
  limit: number,
  maxBytes?: number,
): TE.TaskEither<Failure, ReadonlyArray<RecordedEvent<DomainEvent>>> =>
  pipe(
    store.read(stream, after, limit, maxBytes),
    TE.chainW((events) => TE.fromEither(E.traverseArray(readEvent)(events))),
  );
