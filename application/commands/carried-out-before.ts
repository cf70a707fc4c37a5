import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { CommandContext } from './context.js';
import type { Failure } from '../failures.js';
import type { AnyEvent } from './fold.js';
import type { EventStore } from '../ports/event-store.js';
import { readEvent } from './read-event.js';

type Recorded = RecordedEvent<DomainEvent>;

const pageSize = 20;

/**
 * What a command made happen when it was carried out before, in another process: the events that it caused, looked for
 * from the end of the stream back to the position of its claim. Empty where it was not.
 */
const carriedOutBefore = (
  store: EventStore,
  stream: string,
  revision: number,
  { causation_id }: Pick<CommandContext, 'causation_id'>,
  since: Position,
): TE.TaskEither<Failure, ReadonlyArray<Recorded>> => {
  const after = Math.max(-1, revision - pageSize);
  if (revision <= after) return TE.right([]);
  return pipe(
    store.read(stream, after, revision - after),
    TE.chainEitherKW(E.traverseArray(readEvent)),
    TE.chain((page) => {
      const own = page.filter(({ metadata }) => metadata.causation_id === causation_id);
      const [oldest] = page;
      return oldest === undefined || oldest.position <= since || (own.length > 0 && own[0] !== oldest)
        ? TE.right(own)
        : pipe(
            carriedOutBefore(store, stream, after, { causation_id }, since),
            TE.map((earlier) => [...earlier, ...own]),
          );
    }),
  );
};

interface CarriedOut<Event> {
  readonly recorded: ReadonlyArray<RecordedEvent<Event>>;
  readonly position: Position;
}

/** Finds what a command made happen in an earlier process; null where it did nothing, or has not to be looked for. */
export const finderOfBefore =
  <Event extends AnyEvent>(store: EventStore, isOwn: (event: AnyEvent) => event is Event) =>
  (
    stream: string,
    revision: number,
    context: CommandContext,
    lostRace: boolean,
  ): TE.TaskEither<Failure, CarriedOut<Event> | null> => {
    const { repeats } = context;
    if (repeats === undefined || !(repeats.taken_over || lostRace)) return TE.right(null);
    return pipe(
      carriedOutBefore(store, stream, revision, context, repeats.since),
      TE.map((events) => {
        const recorded = events.flatMap(({ event, ...place }) => (isOwn(event) ? [{ ...place, event }] : []));
        const position = recorded.at(-1)?.position ?? null;
        return position === null ? null : { recorded, position };
      }),
    );
  };
