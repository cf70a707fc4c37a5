import * as E from 'fp-ts/lib/Either.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type {
  InvalidCursor,
  Listing,
  PageRequest,
  Queries,
  ReadModelBehind,
  ReadModelsUnavailable,
} from '../../projections/queries.js';
import { readCursor, readPlace, toCursor } from './cursor.js';
import type { Found } from './found-rows.js';
import type { Reader } from './reader.js';

/** Where the answers come from. */
export interface Source {
  /** Asks the rows as they are committed, once it is known that they are of this log. */
  readonly ask: <A>(question: (reader: Reader) => A) => Promise<E.Either<ReadModelsUnavailable, A>>;
  readonly reached: (position: Position, timeout_ms: number) => Promise<E.Either<ReadModelBehind, void>>;
  readonly runChange: Queries['runChange'];
}

const mostItems = 1_000;

const toListing = <Row, Item>({ rows, more }: Found<Row>, show: (row: Row) => Item): Listing<Item> => {
  const last = rows.at(-1);
  return {
    items: rows.map(({ row }) => show(row)),
    next_cursor: more && last !== undefined ? toCursor(last.number) : null,
  };
};

type Page<Item> = TaskEither<ReadModelsUnavailable | InvalidCursor, Listing<Item>>;

/** Lists rows a portion at a time, as they are or as something shows them. */
const lister = (ask: Source['ask']) => {
  const listFrom =
    <Row, Item>(
      from: E.Either<InvalidCursor, number>,
      limit: number,
      find: (reader: Reader, below: number, limit: number) => Found<Row>,
      show: (reader: Reader) => (row: Row) => Item,
    ): Page<Item> =>
    async () => {
      if (E.isLeft(from)) return from;
      const items = Math.min(Math.max(1, Math.trunc(limit)), mostItems);
      return ask((reader) => toListing(find(reader, from.right, items), show(reader)));
    };
  const listShown = <Row, Item>(
    { limit, cursor }: PageRequest,
    find: (reader: Reader, below: number, limit: number) => Found<Row>,
    show: (reader: Reader) => (row: Row) => Item,
  ): Page<Item> => listFrom(readCursor(cursor), limit, find, show);
  /** Oldest first. */
  const listAfter = <Row>(
    { limit, cursor }: PageRequest,
    find: (reader: Reader, after: number, limit: number) => Found<Row>,
  ): Page<Row> =>
    listFrom(
      pipe(
        readPlace(cursor),
        E.map((after) => after ?? 0),
      ),
      limit,
      find,
      () => identity<Row>,
    );
  const list = <Row>(
    page: PageRequest,
    find: (reader: Reader, below: number, limit: number) => Found<Row>,
  ): Page<Row> => listShown(page, find, () => identity<Row>);
  return { list, listAfter, listShown };
};

/** Finds the places of events. */
const findEvents =
  (ask: Source['ask']): Queries['events'] =>
  (selection, { limit, cursor, until }) =>
  async () => {
    const [after, end] = [readPlace(cursor), readPlace(until)];
    if (E.isLeft(after)) return after;
    if (E.isLeft(end)) return end;
    return ask(({ searchEvents, newestEvent }) => {
      const upTo = end.right ?? newestEvent();
      const found = searchEvents(selection, after.right ?? 0, upTo, limit + 1);
      const items = found
        .slice(0, limit)
        .map(({ stream, revision, number }) => ({ stream, revision, cursor: toCursor(number) }));
      const next_cursor = found.length > limit ? (items.at(-1)?.cursor ?? null) : null;
      return { items, next_cursor, until: toCursor(upTo) };
    });
  };

/** The port over a source. */
export const createQueries = ({ ask, reached, runChange }: Source): Queries => {
  const { list, listAfter, listShown } = lister(ask);
  return {
    events: findEvents(ask),
    reached: (position, timeout_ms) => () => reached(position, timeout_ms),
    video: (video_id) => () => ask((reader) => reader.video(video_id)),
    videos: (owner, page) =>
      listShown(
        page,
        (reader, below, limit) => reader.videos(owner, below, limit),
        ({ tagged }) => tagged,
      ),
    audio: (audio_id) => () => ask((reader) => reader.audio(audio_id)),
    audios: (owner, page) =>
      listShown(
        page,
        (reader, below, limit) => reader.audios(owner, below, limit),
        ({ shownAudio }) => shownAudio,
      ),
    matchRuns: (video_id, page) => listAfter(page, (reader, after, limit) => reader.matchRuns(video_id, after, limit)),
    matchRun: (run_id) => () => ask((reader) => reader.matchRun(run_id)),
    allMatchRuns: (state, now, page) =>
      listAfter(page, (reader, after, limit) => reader.allMatchRuns(state, now, after, limit)),
    runChange,
    lateWrites: (page) => list(page, (reader, below, limit) => reader.lateWrites(below, limit)),
    account: (account_id) => () => ask((reader) => reader.account(account_id)),
    key: (key_id) => () => ask((reader) => reader.key(key_id)),
    keysOf: (account_id, page) => listAfter(page, (reader, after, limit) => reader.keysOf(after, limit, account_id)),
    keyByHash: (key_hash) => () => ask((reader) => reader.keyByHash(key_hash)),
    hasAdminKey: () => () => ask((reader) => reader.hasAdminKey()),
    creditAccount: (account_id, now) => () => ask((reader) => reader.creditAccount(account_id, now)),
    usage: (account_id, range) => () => ask((reader) => reader.usage(account_id, range)),
    ledger: (account_id, range, page) =>
      list(page, (reader, below, limit) => reader.ledger(account_id, range, below, limit)),
  };
};
