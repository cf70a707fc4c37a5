import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { ReadModelsUnavailable, InvalidCursor, Listing, PageRequest, Queries } from '../../projections/queries.js';
import { Count, readCursor, toCursor } from '../runtime/cursor.js';
import type { Reader } from './reader.js';
import { isDamage, reasonOf } from './sqlite.js';
import { type Found, Place } from './stored-table.js';

/** Queries the committed rows. */
type Ask = <A>(question: (reader: Reader) => A) => Promise<E.Either<ReadModelsUnavailable, A>>;

/** Refuses queries until the rows are known to belong to the log, and after the read models were closed. */
interface Gate {
  readonly isOpen: () => boolean;
  readonly open: () => void;
  /** Refuses queries if they were never answered. */
  readonly refuse: (reason: string) => void;
  /** Refuses queries until the next `open`. */
  readonly shut: (reason: string) => void;
  /** Queries wait for the first `open` or `shut`. */
  readonly ask: Ask;
}

/** `onDamage` is called when a query finds that the file is damaged. */
export const createGate = (reader: () => Reader, onDamage: (cause: unknown) => void): Gate => {
  /** Why queries are refused; null while they are answered. */
  let refusal: string | null = 'the log has not been checked yet';
  let decide: () => void = constVoid;
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  const become = (next: string | null): void => {
    refusal = next;
    decide();
  };
  return {
    isOpen: () => refusal === null,
    open: () => become(null),
    refuse: (reason) => {
      if (refusal !== null) become(reason);
    },
    shut: become,
    ask: async (question) => {
      if (refusal !== null) await decided;
      if (refusal !== null) return E.left({ _tag: 'ReadModelsUnavailable', reason: refusal });
      try {
        return E.right(question(reader()));
      } catch (cause) {
        if (isDamage(cause)) onDamage(cause);
        return E.left({ _tag: 'ReadModelsUnavailable', reason: reasonOf(cause) });
      }
    },
  };
};

const maxItems = 1_000;

/** The number of a row, or of an event in the order of the log. */
const NumberCursor = t.tuple([Count]);

const readNumber = (cursor: string | null, first: number): E.Either<InvalidCursor, number> =>
  E.map((values: readonly [number] | null) => values?.[0] ?? first)(readCursor(NumberCursor, cursor));

const toListing = <Row>({ rows, more }: Found<Row>): Listing<Row> => {
  const last = rows.at(-1);
  return {
    items: rows.map(({ row }) => row),
    next_cursor: more && last !== undefined ? toCursor([last.number]) : null,
  };
};

type Page<Item> = TaskEither<ReadModelsUnavailable | InvalidCursor, Listing<Item>>;

/** Lists rows page by page. */
const lister = (ask: Ask) => {
  const listFrom =
    <From, Item>(
      from: E.Either<InvalidCursor, From>,
      limit: number,
      find: (reader: Reader, from: From, limit: number) => Listing<Item>,
    ): Page<Item> =>
    async () => {
      if (E.isLeft(from)) return from;
      const items = Math.min(Math.max(1, Math.trunc(limit)), maxItems);
      return ask((reader) => find(reader, from.right, items));
    };
  type Find<Row> = (reader: Reader, number: number, limit: number) => Found<Row>;
  return {
    /** Newest first. */
    list: <Row>({ limit, cursor }: PageRequest, find: Find<Row>): Page<Row> =>
      listFrom(readNumber(cursor, Number.MAX_SAFE_INTEGER), limit, (...asked) => toListing(find(...asked))),
    /** Oldest first. */
    listAfter: <Row>({ limit, cursor }: PageRequest, find: Find<Row>): Page<Row> =>
      listFrom(readNumber(cursor, 0), limit, (...asked) => toListing(find(...asked))),
    /** In the order of a selection. */
    listRecords: <Item>(
      { limit, cursor }: PageRequest,
      find: (reader: Reader, after: Place | null, limit: number) => Listing<Item>,
    ): Page<Item> => listFrom(readCursor(Place, cursor), limit, find),
  };
};

/** Finds the places of events. */
const findEvents =
  (ask: Ask): Queries['events'] =>
  (selection, { limit, cursor, until, descending = false }) =>
  async () => {
    const [after, end] = [readCursor(NumberCursor, cursor), readCursor(NumberCursor, until)];
    if (E.isLeft(after)) return after;
    if (E.isLeft(end)) return end;
    return ask((reader) => {
      const upTo = end.right?.[0] ?? reader.newestEvent();
      const [low, high] = descending ? [0, (after.right?.[0] ?? upTo + 1) - 1] : [after.right?.[0] ?? 0, upTo];
      const { places, examined } = reader.searchEvents(selection, low, high, limit + 1, descending);
      const items = places
        .slice(0, limit)
        .map(({ stream, revision, number }) => ({ stream, revision, cursor: toCursor([number]) }));
      const last = places.length > limit ? (places[limit - 1]?.number ?? null) : examined;
      return { items, next_cursor: last === null ? null : toCursor([last]), until: toCursor([upTo]) };
    });
  };

/** The query port. */
export const createQueries = (ask: Ask, { reached, change }: Pick<Queries, 'reached' | 'change'>): Queries => {
  const { list, listAfter, listRecords } = lister(ask);
  return {
    reached,
    change,
    events: findEvents(ask),
    video: (video_id) => () => ask((reader) => reader.video(video_id)),
    videos: (selection, page) => listRecords(page, ({ lists }, ...from) => lists.videos(selection, ...from)),
    audio: (audio_id) => () => ask((reader) => reader.audio(audio_id)),
    audios: (selection, page) => listRecords(page, ({ lists }, ...from) => lists.audios(selection, ...from)),
    review: (scope, page) => listRecords(page, (reader, ...from) => reader.questions(scope, ...from)),
    matchRuns: (video_id, page) => listAfter(page, (reader, ...from) => reader.matchRuns(video_id, ...from)),
    matchRun: (run_id) => () => ask((reader) => reader.matchRun(run_id)),
    allMatchRuns: (state, now, page) => listAfter(page, (reader, ...from) => reader.allMatchRuns(state, now, ...from)),
    lateWrites: (page) => list(page, (reader, ...from) => reader.lateWrites(...from)),
    accounts: (page) => listRecords(page, (reader, after, limit) => reader.accounts(after?.[1] ?? '', limit)),
    account: (account_id) => () => ask((reader) => reader.account(account_id)),
    key: (key_id) => () => ask((reader) => reader.key(key_id)),
    keysOf: (account_id, page) => listAfter(page, (reader, ...from) => reader.keysOf(...from, account_id)),
    keyByHash: (key_hash) => () => ask((reader) => reader.keyByHash(key_hash)),
    hasAdminKey: () => () => ask((reader) => reader.hasAdminKey()),
    creditAccount: (account_id, now) => () => ask((reader) => reader.creditAccount(account_id, now)),
    usage: (account_id, range) => () => ask((reader) => reader.usage(account_id, range)),
    ledger: (account_id, range, page) => list(page, (reader, ...from) => reader.ledger(account_id, range, ...from)),
  };
};
