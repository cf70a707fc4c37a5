import type { VideoId } from '../../domain/kernel/ids.js';
import { MediaKind } from '../../domain/kernel/media.js';
import type { InvalidCursor, Listing, PageRequest, Queries, ReadModelsUnavailable } from '../../projections/queries.js';
import { questionPlace, type ReviewQuestion, type ReviewScope } from '../../projections/review.js';
import { audioView, videoViewIn } from '../../projections/shown-records.js';
import { tables, tagPlace } from '../../projections/tables.js';
import type { ApiKeyView, AudioView, VideoView } from '../../projections/views.js';
import { listLedger, readUsage } from './credits.js';
import { Count, readCursor, toCursor } from '../runtime/cursor.js';
import { newestEvent, searchEvents } from './event-index.js';
import { readRuns } from './match-runs.js';
import { recordLists } from './records.js';
import { isDamage, reasonOf, type Statements, textOf } from './sqlite.js';
import { listRows, Place, type StoredTables } from './stored-table.js';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';

/** Lists open questions that follow from a video and those that follow from a name inference, the best first. */
const listQuestions = (statements: Statements) => {
  const { reviewQuestions, nameQuestions } = tables;
  const list = (column: ReviewScope['by']) =>
    listRows(statements, reviewQuestions, {
      // The inner order lets SQLite merge both tables by their indexes, up to the limit.
      from: `(SELECT * FROM (SELECT * FROM ${reviewQuestions.name} UNION ALL SELECT * FROM ${nameQuestions.name})
        WHERE ${column} = ?3 AND place > ?1 AND (?4 = '' OR kind = ?4) ORDER BY place LIMIT ?2)`,
      order: 'place',
      placeOf: (question) => [null, questionPlace(question) ?? ''],
    });
  const lists = { owner_id: list('owner_id'), video_id: list('video_id') };
  return ({ by, id, kind }: ReviewScope, after: Place | null, limit: number): Listing<ReviewQuestion> =>
    lists[by](after?.[1] ?? '', limit, id, kind ?? '');
};

/** Queries on the committed rows. Every function may throw. */
export const createReader = (statements: Statements, rows: StoredTables) => {
  const adminKey = statements('SELECT 1 FROM api_keys WHERE admin_of IS NOT NULL LIMIT 1');
  const keyByHash = statements('SELECT CAST(key AS BLOB) FROM api_keys WHERE key_hash = ? ORDER BY number');
  const kind = statements(`SELECT CAST(kind AS BLOB) FROM ${tables.videos.name} WHERE key = ?`);
  const kindOf = (video_id: VideoId): MediaKind | null => {
    const found = textOf(kind.first(video_id)[0] ?? null);
    return MediaKind.is(found) ? found : null;
  };
  const video = (video_id: string): VideoView | null => videoViewIn(rows, video_id);
  const audio = (audio_id: string): AudioView | null => {
    const row = rows.audios.get(audio_id);
    return row === undefined ? null : audioView(row, kindOf);
  };
  return {
    rows,
    video,
    audio,
    lists: recordLists(statements, { video, audio, tagRow: rows.videoTags.get }),
    /** By id, those after the given one. */
    accounts: listRows(statements, tables.accounts, {
      where: 'key > ?1',
      order: 'key',
      placeOf: ({ account_id }) => [null, account_id],
    }),
    tags: listRows(statements, tables.videoTags, {
      where: 'video_id = ?3 AND place > ?1',
      order: 'place',
      placeOf: (tag) => [null, tagPlace(tag)],
    }),
    lateWrites: listRows(statements, tables.lateWrites, { where: 'number < ?1', order: 'number DESC' }),
    ...readRuns(statements, rows),
    questions: listQuestions(statements),
    keysOf: listRows(statements, tables.apiKeys, { where: 'account_id = ?3 AND number > ?1', order: 'number' }),
    keyByHash: (key_hash: string): ApiKeyView | null => {
      const key_id = textOf(keyByHash.first(key_hash)[0] ?? null);
      return key_id === null ? null : (rows.apiKeys.get(key_id) ?? null);
    },
    hasAdminKey: (): boolean => adminKey.first().length > 0,
    ledger: listLedger(statements),
    usage: readUsage(statements),
    searchEvents: searchEvents(statements),
    newestEvent: newestEvent(statements),
  };
};

export type Reader = ReturnType<typeof createReader>;

/** Queries the committed rows. */
type Ask = <A>(question: (reader: Reader) => A) => Promise<E.Either<ReadModelsUnavailable, A>>;

/**
 * Refuses queries until the rows are known to belong to the log, and after the read models were closed. `onDamage` is
 * called when a query finds that the file is damaged.
 */
export const createGate = (reader: () => Reader, onDamage: (cause: unknown) => void) => {
  /** Why queries are refused; null while they are answered. */
  let refusal: string | null = 'the log has not been checked yet';
  let decide: () => void = constVoid;
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  /** Refuses queries with this reason from now on; with null they are answered. */
  const setRefusal = (next: string | null): void => {
    refusal = next;
    decide();
  };
  /** Queries wait until it is known for the first time whether they are answered. */
  const ask: Ask = async (question) => {
    if (refusal !== null) await decided;
    if (refusal !== null) return E.left({ _tag: 'ReadModelsUnavailable', reason: refusal });
    try {
      return E.right(question(reader()));
    } catch (cause) {
      if (isDamage(cause)) onDamage(cause);
      return E.left({ _tag: 'ReadModelsUnavailable', reason: reasonOf(cause) });
    }
  };
  return { isOpen: (): boolean => refusal === null, setRefusal, ask };
};

const maxItems = 1_000;

/** The number of a row, or of an event in the order of the log. */
const NumberCursor = t.tuple([Count]);

const readNumber = (cursor: string | null, first: number): E.Either<InvalidCursor, number> =>
  E.map((values: readonly [number] | null) => values?.[0] ?? first)(readCursor(NumberCursor, cursor));

/** Lists rows page by page. `read` finds out from a cursor where a page begins. */
const lister =
  <From>(ask: Ask, read: (cursor: string | null) => E.Either<InvalidCursor, From>) =>
  <Item>(
    { limit, cursor }: PageRequest,
    find: (reader: Reader, from: From, limit: number) => Listing<Item>,
  ): TaskEither<ReadModelsUnavailable | InvalidCursor, Listing<Item>> =>
  async () => {
    const from = read(cursor);
    if (E.isLeft(from)) return from;
    const items = Math.min(Math.max(1, Math.trunc(limit)), maxItems);
    return ask((reader) => find(reader, from.right, items));
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
  const newestFirst = lister(ask, (cursor) => readNumber(cursor, Number.MAX_SAFE_INTEGER));
  const oldestFirst = lister(ask, (cursor) => readNumber(cursor, 0));
  const inOrder = lister(ask, (cursor) => readCursor(Place, cursor));
  return {
    reached,
    change,
    events: findEvents(ask),
    video: (video_id) => () => ask((reader) => reader.video(video_id)),
    untaggedVideo: (video_id) => () => ask(({ rows }) => rows.videos.get(video_id) ?? null),
    tags: (video_id, page) => inOrder(page, (reader, after, limit) => reader.tags(after?.[1] ?? '', limit, video_id)),
    videos: (selection, page) => inOrder(page, ({ lists }, ...from) => lists.videos(selection, ...from)),
    audio: (audio_id) => () => ask((reader) => reader.audio(audio_id)),
    audios: (selection, page) => inOrder(page, ({ lists }, ...from) => lists.audios(selection, ...from)),
    review: (scope, page) => inOrder(page, (reader, ...from) => reader.questions(scope, ...from)),
    matchRuns: (video_id, page) => oldestFirst(page, (reader, ...from) => reader.matchRuns(video_id, ...from)),
    matchRun: (run_id) => () => ask((reader) => reader.matchRun(run_id)),
    allMatchRuns: (state, now, page) =>
      oldestFirst(page, (reader, ...from) => reader.allMatchRuns(state, now, ...from)),
    lateWrites: (page) => newestFirst(page, (reader, ...from) => reader.lateWrites(...from)),
    accounts: (page) => inOrder(page, (reader, after, limit) => reader.accounts(after?.[1] ?? '', limit)),
    account: (account_id) => () => ask(({ rows }) => rows.accounts.get(account_id) ?? null),
    key: (key_id) => () => ask(({ rows }) => rows.apiKeys.get(key_id) ?? null),
    keysOf: (account_id, page) => oldestFirst(page, (reader, ...from) => reader.keysOf(...from, account_id)),
    keyByHash: (key_hash) => () => ask((reader) => reader.keyByHash(key_hash)),
    hasAdminKey: () => () => ask((reader) => reader.hasAdminKey()),
    usage: (account_id, range) => () => ask((reader) => reader.usage(account_id, range)),
    ledger: (account_id, range, page) =>
      newestFirst(page, (reader, ...from) => reader.ledger(account_id, range, ...from)),
  };
};
