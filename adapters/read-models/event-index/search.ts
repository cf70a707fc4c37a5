import type Database from 'libsql';
import { type EventSelection, isHidden, isOfType } from '../../../projections/event-selection.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import { columnsOf } from '../row-json.js';
import { type Named, actors, kinds, readNames } from './event-index.js';
import { blockSize, textHash } from './schema.js';
import { type Condition, type IndexedPlace, type Stretch, type Walk, createTake, merge } from './walk.js';

/** The kinds and actors that a selection admits; null for all. */
interface Admitted {
  readonly kinds: ReadonlyArray<number> | null;
  readonly actors: ReadonlyArray<number> | null;
}

const numbersOf = (named: ReadonlyArray<Named>): ReadonlyArray<number> => named.map(({ number }) => number);

const kindsOf = (all: ReadonlyArray<Named>, { stream, category, type, hide }: EventSelection) => {
  if (stream === null && category === null && type === null && hide === null) return null;
  return numbersOf(
    all.filter(
      ({ first, second }) =>
        !isHidden(first, { hide }) &&
        (stream === null || first === streamCategory(stream)) &&
        (category === null || first === category) &&
        (type === null || isOfType(second, type)),
    ),
  );
};

const actorsOf = (all: ReadonlyArray<Named>, { actor }: EventSelection) =>
  actor === null ? null : numbersOf(all.filter(({ first, second }) => first === actor || second === actor));

const is = (column: string, value: string | number): Condition => ({ sql: `${column} = ?`, value });

const isAmong = (column: string, numbers: ReadonlyArray<number> | null): ReadonlyArray<Condition> =>
  numbers === null ? [] : [{ sql: `${column} IN (SELECT value FROM json_each(?))`, value: JSON.stringify(numbers) }];

const isWithin = ({ from, to }: EventSelection): ReadonlyArray<Condition> =>
  from === null && to === null
    ? []
    : [
        { sql: 'at >= ?', value: from === null ? Number.MIN_SAFE_INTEGER : Date.parse(from) },
        { sql: 'at < ?', value: to === null ? Number.MAX_SAFE_INTEGER : Date.parse(to) },
      ];

/** The scans that find everything selected, apart from the time. */
interface Plan {
  readonly walks: ReadonlyArray<Walk>;
  /** Whether every entry that is scanned matches. */
  readonly isExact: boolean;
}

/** Limits of the work of a search. */
export interface SearchBounds {
  /** More scans than this together take longer than scanning everything in between. */
  readonly mostWalks: number;
  /** If few of the scanned entries match, this many are scanned before the time is checked. */
  readonly numbersInPart: number;
  /** Whether a search has taken too long, given its duration in milliseconds. */
  readonly isLong: (ms: number) => boolean;
}

const usual: SearchBounds = { mostWalks: 64, numbersInPart: 20_000, isLong: (ms) => ms > 20 };

/** For a single kind, the index entries contain the actor. For several kinds, the entries of the actor are fewer. */
const walksOfStream = (
  stream: string,
  kinds: ReadonlyArray<number>,
  actors: ReadonlyArray<number> | null,
  { mostWalks }: SearchBounds,
): ReadonlyArray<Walk> => {
  const conditions = [is('stream_hash', textHash(stream)), is('stream', stream)];
  return actors === null || kinds.length === 1 || actors.length > mostWalks
    ? kinds.map((kind) => ({
        index: 'event_index_by_stream',
        conditions: [is('kind', kind), ...conditions, ...isAmong('actor', actors)],
      }))
    : actors.map((actor) => ({
        index: 'event_index_by_stream_and_actor',
        conditions: [is('actor', actor), ...conditions, ...isAmong('kind', kinds)],
      }));
};

/** The scans for a selection; each is narrow or exact. */
const walksOf = (
  { stream, request_id }: EventSelection,
  { kinds, actors }: Admitted,
  bounds: SearchBounds,
): ReadonlyArray<Walk> => {
  if (request_id !== null) {
    const others = [...isAmong('kind', kinds), ...isAmong('actor', actors)];
    const ofStream = stream === null ? [] : [is('stream', stream)];
    const conditions = [is('request_hash', textHash(request_id)), ...ofStream, ...others];
    return [{ index: 'event_index_by_request', conditions }];
  }
  if (stream !== null) return walksOfStream(stream, kinds ?? [], actors, bounds);
  if (kinds === null && actors === null) return [{ index: null, conditions: [] }];
  if (actors === null)
    return (kinds ?? []).map((kind) => ({ index: 'event_index_by_kind', conditions: [is('kind', kind)] }));
  if (kinds === null)
    return actors.map((actor) => ({ index: 'event_index_by_actor_alone', conditions: [is('actor', actor)] }));
  return actors.flatMap((actor) =>
    kinds.map((kind) => ({ index: 'event_index_by_actor', conditions: [is('actor', actor), is('kind', kind)] })),
  );
};

/** An account may have had thousands of keys, each of which is an actor; then the log itself is scanned. */
const planOf = (selection: EventSelection, admitted: Admitted, bounds: SearchBounds): Plan => {
  const walks = walksOf(selection, admitted, bounds);
  const { stream, request_id, from, to } = selection;
  const { kinds, actors } = admitted;
  if (request_id === null && walks.length > bounds.mostWalks) {
    const ofStream = stream === null ? [] : [is('stream_hash', textHash(stream)), is('stream', stream)];
    const conditions = [...ofStream, ...isAmong('kind', kinds), ...isAmong('actor', actors)];
    return { walks: [{ index: null, conditions }], isExact: false };
  }
  const isNarrowed = request_id !== null || (stream !== null && actors !== null) || from !== null || to !== null;
  return { walks, isExact: !isNarrowed };
};

const joined = (blocks: ReadonlyArray<number>): ReadonlyArray<Stretch> => {
  const stretches: Stretch[] = [];
  for (const block of blocks) {
    const last = stretches.at(-1);
    const upTo = (block + 1) * blockSize;
    if (last?.upTo === block * blockSize) stretches[stretches.length - 1] = { after: last.after, upTo };
    else stretches.push({ after: block * blockSize, upTo });
  }
  return stretches;
};

interface FoundPlaces {
  readonly places: ReadonlyArray<IndexedPlace>;
  /** How far the log was examined, so that the search can be continued from there; null when all of it was. */
  readonly examined: number | null;
}

/** A search after one number and up to another; with `descending`, from the end. */
export type SearchEvents = (
  selection: EventSelection,
  after: number,
  upTo: number,
  limit: number,
  descending?: boolean,
) => FoundPlaces;

/** Numbers count down from -1 in a search from the end, so that it is the same search. */
const mirrored = ({ after, upTo }: Stretch): Stretch => ({ after: -upTo - 1, upTo: -after - 1 });

/**
 * Finds events after one number and up to another, at most `limit`, in the order of the log or in the opposite one; fewer
 * or none if that takes too long. `examined` is the number up to which, or with `descending` down to which, the log was
 * examined. A period is found through the blocks of the log that can contain it, because times and positions may differ
 * in order owing to clocks and long requests.
 */
export const searchEvents = (db: Database.Database, bounds = usual): SearchEvents => {
  const readKinds = readNames(db, kinds);
  const readActors = readNames(db, actors);
  const takes = { up: createTake(db, false), down: createTake(db, true) };
  const selectBlocks = db
    .prepare('SELECT block FROM event_blocks WHERE block >= ? AND block <= ? AND last_at >= ? AND first_at < ?')
    .raw(true);
  const stretchesOf = (selection: EventSelection, after: number, upTo: number): ReadonlyArray<Stretch> => {
    if (selection.from === null && selection.to === null) return [{ after, upTo }];
    const [first, last] = [Math.floor(after / blockSize), Math.floor(upTo / blockSize)];
    const times = isWithin(selection).map(({ value }) => value);
    const blocks = selectBlocks.all(first, last, ...times).map((row) => Number(columnsOf(row)[0]));
    return joined(blocks.sort((one, other) => one - other)).map((stretch) => ({
      after: Math.max(after, stretch.after),
      upTo: Math.min(upTo, stretch.upTo),
    }));
  };
  return (selection, after, upTo, limit, descending = false) => {
    const began = performance.now();
    const admitted = { kinds: kindsOf(readKinds(), selection), actors: actorsOf(readActors(), selection) };
    if (admitted.kinds?.length === 0 || admitted.actors?.length === 0) return { places: [], examined: null };
    const times = isWithin(selection);
    const { walks, isExact } = planOf(selection, admitted, bounds);
    const timed = walks.map(({ index, conditions }) => ({ index, conditions: [...conditions, ...times] }));
    const found = stretchesOf(selection, after, upTo);
    const stretches = descending ? found.map(mirrored).toReversed() : found;
    const end = stretches.at(-1)?.upTo ?? 0;
    const own = (number: number): number => (descending ? -number : number);
    const take = descending ? takes.down : takes.up;
    const shown = (all: ReadonlyArray<IndexedPlace>) => all.map((place) => ({ ...place, number: own(place.number) }));
    const places: IndexedPlace[] = [];
    for (const stretch of stretches)
      for (let from = stretch.after; from < stretch.upTo;) {
        const part = {
          after: from,
          upTo: isExact ? stretch.upTo : Math.min(stretch.upTo, from + bounds.numbersInPart),
        };
        places.push(...merge(take, timed, part, limit - places.length));
        if (places.length >= limit) return { places: shown(places), examined: null };
        from = part.upTo;
        if (from < end && bounds.isLong(performance.now() - began))
          return { places: shown(places), examined: own(from) };
      }
    return { places: shown(places), examined: null };
  };
};
