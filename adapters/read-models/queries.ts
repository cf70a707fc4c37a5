import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type {
  ReadModelsUnavailable,
  InvalidCursor,
  Listing,
  PageRequest,
  Queries,
  ReadModelBehind,
} from '../../projections/queries.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { isDamage, reasonOf } from './damage.js';
import type { Reader } from './reader.js';
import { readCursor, readPlace, toCursor, type Place, readPlaceCursor } from './cursors.js';
import type { Found } from './found-rows.js';

type Answer<A> = E.Either<ReadModelsUnavailable, A>;

/** Refuses queries until the rows are known to belong to the log, and after the read models were closed. */
interface Gate {
  readonly isOpen: () => boolean;
  readonly open: () => void;
  /** Refuses queries if the gate was never open; an open gate stays open. */
  readonly refuse: (reason: string) => void;
  /** Refuses queries until the next `open`, even if the gate was open. */
  readonly shut: (reason: string) => void;
  readonly close: () => void;
  /** Queries the committed rows. Queries wait for the first `open` or `refuse`. */
  readonly ask: <A>(question: (reader: Reader) => A) => Promise<Answer<A>>;
}

/** `onDamage` is called when a query finds that the file is damaged. */
export const createGate = (reader: () => Reader, onDamage: (cause: unknown) => void): Gate => {
  let state: 'new' | 'open' | 'refusing' | 'closed' = 'new';
  let reason = 'the log has not been checked yet';
  let resolveFirst: () => void = constVoid;
  const first = new Promise<void>((resolve) => {
    resolveFirst = resolve;
  });
  const change = (next: typeof state): void => {
    state = next;
    resolveFirst();
  };
  const answer = <A>(question: (reader: Reader) => A): Answer<A> => {
    if (state !== 'open') return E.left({ _tag: 'ReadModelsUnavailable', reason });
    try {
      return E.right(question(reader()));
    } catch (cause) {
      if (isDamage(cause)) onDamage(cause);
      return E.left({ _tag: 'ReadModelsUnavailable', reason: reasonOf(cause) });
    }
  };
  return {
    isOpen: () => state === 'open',
    open: () => change('open'),
    refuse: (why) => {
      if (state === 'open') return;
      reason = why;
      change('refusing');
    },
    shut: (why) => {
      reason = why;
      change('refusing');
    },
    close: () => {
      reason = 'the read models are closed';
      change('closed');
    },
    ask: (question) => (state === 'new' ? first.then(() => answer(question)) : Promise.resolve(answer(question))),
  };
};

/** Where the answers come from. */
interface Source {
  /** Queries the committed rows, once they are known to belong to this log. */
  readonly ask: <A>(question: (reader: Reader) => A) => Promise<E.Either<ReadModelsUnavailable, A>>;
  readonly reached: (position: Position, timeout_ms: number) => Promise<E.Either<ReadModelBehind, void>>;
  readonly change: Queries['change'];
}

const maxItems = 1_000;

const toListing = <Row>({ rows, more }: Found<Row>): Listing<Row> => {
  const last = rows.at(-1);
  return {
    items: rows.map(({ row }) => row),
    next_cursor: more && last !== undefined ? toCursor(last.number) : null,
  };
};

type Page<Item> = TaskEither<ReadModelsUnavailable | InvalidCursor, Listing<Item>>;

/** Lists rows page by page. */
const lister = (ask: Source['ask']) => {
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
  /** Newest first. */
  const list = <Row>({ limit, cursor }: PageRequest, find: Find<Row>): Page<Row> =>
    listFrom(readCursor(cursor), limit, (...asked) => toListing(find(...asked)));
  /** Oldest first. */
  const listAfter = <Row>({ limit, cursor }: PageRequest, find: Find<Row>): Page<Row> =>
    listFrom(readPlace(cursor), limit, (reader, after, items) => toListing(find(reader, after ?? 0, items)));
  /** In the order of a selection. */
  const listRecords = <Item>(
    { limit, cursor }: PageRequest,
    find: (reader: Reader, after: Place | null, limit: number) => Listing<Item>,
  ): Page<Item> => listFrom(readPlaceCursor(cursor), limit, find);
  return { list, listAfter, listRecords };
};

/** Finds the places of events. */
const findEvents =
  (ask: Source['ask']): Queries['events'] =>
  (selection, { limit, cursor, until, descending = false }) =>
  async () => {
    const [after, end] = [readPlace(cursor), readPlace(until)];
    if (E.isLeft(after)) return after;
    if (E.isLeft(end)) return end;
    return ask(({ searchEvents, newestEvent }) => {
      const upTo = end.right ?? newestEvent();
      const [low, high] = descending ? [0, (after.right ?? upTo + 1) - 1] : [after.right ?? 0, upTo];
      const { places, examined } = searchEvents(selection, low, high, limit + 1, descending);
      const items = places
        .slice(0, limit)
        .map(({ stream, revision, number }) => ({ stream, revision, cursor: toCursor(number) }));
      const last = places.length > limit ? (places[limit - 1]?.number ?? null) : examined;
      return { items, next_cursor: last === null ? null : toCursor(last), until: toCursor(upTo) };
    });
  };

/** The query port over a source. */
export const createQueries = ({ ask, reached, change }: Source): Queries => {
  const { list, listAfter, listRecords } = lister(ask);
  return {
    events: findEvents(ask),
    reached: (position, timeout_ms) => () => reached(position, timeout_ms),
    video: (video_id) => () => ask((reader) => reader.video(video_id)),
    videos: (selection, page) => listRecords(page, ({ lists }, ...from) => lists.videos(selection, ...from)),
    audio: (audio_id) => () => ask((reader) => reader.audio(audio_id)),
    audios: (selection, page) => listRecords(page, ({ lists }, ...from) => lists.audios(selection, ...from)),
    review: (scope, page) => listRecords(page, (reader, ...from) => reader.questions(scope, ...from)),
    matchRuns: (video_id, page) => listAfter(page, (reader, after, limit) => reader.matchRuns(video_id, after, limit)),
    matchRun: (run_id) => () => ask((reader) => reader.matchRun(run_id)),
    allMatchRuns: (state, now, page) =>
      listAfter(page, (reader, after, limit) => reader.allMatchRuns(state, now, after, limit)),
    change,
    lateWrites: (page) => list(page, (reader, below, limit) => reader.lateWrites(below, limit)),
    accounts: (page) => listRecords(page, (reader, after, limit) => reader.accounts(after?.key ?? '', limit)),
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
