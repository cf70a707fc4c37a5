import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Chunks } from '../../domain/audio/events.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { type Failure, withheld } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';

/** Reads the parts that an aggregate's event refers to, in order. */
export const readParts = (
  store: EventStore,
  stream: string,
  chunks: Chunks | null,
): TE.TaskEither<Failure, ReadonlyArray<DomainEvent>> =>
  chunks === null
    ? TE.right([])
    : pipe(
        Array.from({ length: chunks.parts }, (_, part) => chunks.first_revision + part),
        // One at a time: a part may be large.
        TE.traverseSeqArray((revision) =>
          pipe(
            store.read(stream, revision - 1, 1),
            TE.chainW((events) => TE.fromEither(E.traverseArray(readEvent)(events))),
            TE.chainW(
              TE.traverseArray(({ event }) =>
                event.type === 'Withheld' ? TE.left(withheld(stream, event.data)) : TE.right(event),
              ),
            ),
          ),
        ),
        TE.map((parts) => parts.flat()),
      );
