import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Failure } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { readEvent } from '../read-event.js';

/** A place in a record's history: after a revision, or at a time. */
export type PointInHistory =
  | { readonly kind: 'revision'; readonly revision: number }
  | { readonly kind: 'time'; readonly time: Timestamp };

type History = ReadonlyArray<RecordedEvent<DomainEvent>>;

const pageSize = 500;

const isWithin = ({ revision, metadata }: RecordedEvent<DomainEvent>, until: PointInHistory): boolean =>
  until.kind === 'revision' ? revision <= until.revision : metadata.recorded_at <= until.time;

/** A page of a stream's events after a revision (-1: from the first). */
export const readHistoryPage = (
  store: EventStore,
  stream: string,
  after: number,
  limit: number,
): TE.TaskEither<Failure, History> =>
  pipe(
    store.read(stream, after, limit),
    TE.chainW((events) => TE.fromEither(E.traverseArray(readEvent)(events))),
  );

/** The events of a stream up to a point in its history; none when it had not begun, or does not reach that revision. */
export const readHistory = (
  store: EventStore,
  stream: string,
  until: PointInHistory,
): TE.TaskEither<Failure, History> => {
  const from = (after: number): TE.TaskEither<Failure, History> =>
    pipe(
      readHistoryPage(store, stream, after, pageSize),
      TE.chain((page) => {
        const within = page.filter((event) => isWithin(event, until));
        return within.length < pageSize
          ? TE.right(within)
          : pipe(
              from(after + pageSize),
              TE.map((rest) => [...within, ...rest]),
            );
      }),
    );
  return pipe(
    from(-1),
    TE.map((events) => (until.kind === 'revision' && events.length <= until.revision ? [] : events)),
  );
};
