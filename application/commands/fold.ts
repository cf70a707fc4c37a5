import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Decider } from '../../domain/kernel/decider.js';
import { type Failure, keyMissing, unreadable } from '../failures.js';
import type { EventStore, StoredEvent } from '../ports/event-store.js';
import { type AnyEvent, readEvent } from './read-event.js';
import { appendRecent } from './earlier-events.js';
import type { FoldStarts } from './snapshots.js';
import type { Folded, StreamCache } from './cache.js';

const pageSize = 500;
/** Limits what is decoded and folded at once: events may be large. */
const maxPageBytes = 500_000;

/** Folds streams of one category to their end, each from its cached fold or its snapshot. */
export const foldStream = <Command, State, Event extends AnyEvent, Refusal>(
  store: EventStore,
  decider: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
  cache: StreamCache<State>,
  { startOf, onFolded }: FoldStarts<State>,
): ((stream: string) => TE.TaskEither<Failure, Folded<State>>) => {
  const fold = (folded: Folded<State>, stored: StoredEvent): E.Either<Failure, Folded<State>> =>
    pipe(
      readEvent(stored),
      E.chainW(({ event }): E.Either<Failure, Folded<State>> => {
        if (event.type === 'Withheld')
          return event.data.why === 'erased'
            ? E.right({ state: folded.state, revision: stored.revision })
            : E.left(keyMissing(stored.stream));
        return isOwn(event)
          ? E.right({ state: decider.evolve(folded.state, event, stored.revision), revision: stored.revision })
          : E.left(unreadable(stored, `${event.type} does not belong to this stream`));
      }),
    );

  const foldOn = (stream: string, from: Folded<State>): TE.TaskEither<Failure, Folded<State>> =>
    pipe(
      store.read(stream, from.revision, pageSize, maxPageBytes),
      TE.chain((page) =>
        pipe(
          page.reduce<E.Either<Failure, Folded<State>>>(
            (folded, stored) => (E.isLeft(folded) ? folded : fold(folded.right, stored)),
            E.right(from),
          ),
          E.map((folded) => ({ ...folded, recent: appendRecent(from.recent ?? [], page) })),
          TE.fromEither<Failure, Folded<State>>,
          TE.chain((folded) => (page.length === 0 ? TE.right(folded) : foldOn(stream, folded))),
        ),
      ),
    );

  const foldToEnd = (stream: string, clears: number): TE.TaskEither<Failure, Folded<State>> =>
    pipe(
      TE.right<Failure, Folded<State> | undefined>(cache.get(stream)),
      TE.chain((known) => (known === undefined ? startOf(stream) : TE.right(known))),
      TE.chain((start) => foldOn(stream, start)),
      TE.map((folded) => {
        if (folded.revision < 0) return folded;
        if (cache.clears() === clears) cache.set(stream, folded);
        onFolded(stream, folded);
        return folded;
      }),
    );
  return (stream) => () => foldToEnd(stream, cache.clears())();
};
