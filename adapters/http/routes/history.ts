import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { readHistoryPage } from '../../../application/use-cases/read-history.js';
import { type DomainEvent, versionOf } from '../../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../../domain/kernel/recorded-event.js';
import { shownMetadata } from '../../../projections/audit/shown-event.js';
import type { PageRequest } from '../../../projections/queries.js';
import type { Answer, Call } from '../endpoint.js';
import { pageRequest } from '../query.js';
import type { Refusal } from '../refusals.js';
import type { Service } from '../service.js';

const shown = ({ position, revision, event_id, event, metadata }: RecordedEvent<DomainEvent>) => ({
  position,
  revision,
  event_id,
  type: event.type,
  version: versionOf(event.type),
  ...shownMetadata(metadata),
  data: event.data,
});

const largestPage = 1_000;

const pageOf = ({ query }: Call) => pageRequest({ ...query, limit: query['limit'] ?? String(largestPage) });

/** A record's events in order. `cursor` is the revision that the last page ended with. */
export const history = (service: Service, stream: string, call: Call): TE.TaskEither<Refusal, Answer> =>
  pipe(
    TE.fromEither<Refusal, PageRequest>(pageOf(call)),
    TE.chain(({ limit, cursor }) => {
      if (cursor !== null && !/^\d{1,15}$/.test(cursor)) return TE.left<Refusal>({ _tag: 'InvalidCursor' });
      const after = cursor === null ? -1 : Number(cursor);
      return pipe(
        readHistoryPage(service.app.store, stream, after, limit + 1),
        TE.mapLeft((failure): Refusal => failure),
        TE.map((events) => ({
          body: {
            events: events.slice(0, limit).map(shown),
            next_cursor: events.length <= limit ? null : String(after + limit),
          },
        })),
      );
    }),
  );
