import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Failure } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { readHistoryPage } from '../queries/history.js';

const pageSize = 20;

/**
 * The events of a stream, up to a revision, that another event caused. Reads back from there to the cause, for what
 * it caused came after it: usually one short page.
 */
export const writtenBefore = (
  store: EventStore,
  cause: RecordedEvent<DomainEvent>,
  stream: string,
  revision: number,
): TE.TaskEither<Failure, ReadonlyArray<RecordedEvent<DomainEvent>>> => {
  const after = Math.max(-1, revision - pageSize);
  if (revision <= after) return TE.right([]);
  return pipe(
    readHistoryPage(store, stream, after, revision - after),
    TE.chain((page) => {
      const caused = page.filter(({ metadata }) => metadata.causation_id === cause.event_id);
      const [oldest] = page;
      return oldest === undefined || oldest.position <= cause.position
        ? TE.right(caused)
        : pipe(
            writtenBefore(store, cause, stream, after),
            TE.map((earlier) => [...earlier, ...caused]),
          );
    }),
  );
};
