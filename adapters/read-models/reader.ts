import type { VideoId } from '../../domain/kernel/ids.js';
import { MediaKind } from '../../domain/kernel/media.js';
import type { Listing } from '../../projections/queries.js';
import { type ReviewQuestion, type ReviewScope, questionPlace } from '../../projections/review.js';
import { audioView } from '../../projections/shown-records.js';
import { tables } from '../../projections/tables.js';
import type { AccountView, ApiKeyView, AudioView, VideoView } from '../../projections/views.js';
import { listLedger, readCreditAccount, readUsage } from './credits.js';
import { toCursor } from '../runtime/cursor.js';
import { newestEvent, searchEvents } from './event-index.js';
import { readRuns } from './match-runs.js';
import { recordLists, tagVideos } from './records.js';
import { type Statements, columnsOf, textOf } from './sqlite.js';
import { type Place, type StoredTables, listRows } from './stored-table.js';

/** Lists accounts by id, those after the given one. */
const listAccounts = (statements: Statements): ((after: string, limit: number) => Listing<AccountView>) => {
  const list = listRows(statements, tables.accounts, { where: 'key > ?1', order: 'key' });
  return (after, limit) => {
    const { rows, more } = list(after, limit);
    const last = more ? rows.at(-1)?.row : undefined;
    return {
      items: rows.map(({ row }) => row),
      next_cursor: last === undefined ? null : toCursor([null, last.account_id]),
    };
  };
};

/** Lists open questions that follow from a video and those that follow from a name inference, the best first. */
const listQuestions = (statements: Statements) => {
  const lists = [tables.reviewQuestions, tables.nameQuestions].map((table) => {
    const list = (column: ReviewScope['by']) => {
      const where = `${column} = ?3 AND place > ?1 AND (?4 = '' OR kind = ?4)`;
      return listRows(statements, table, { where, order: 'place' });
    };
    return { owner_id: list('owner_id'), video_id: list('video_id') };
  });
  return ({ by, id, kind }: ReviewScope, after: Place | null, limit: number): Listing<ReviewQuestion> => {
    const found = lists.map((list) => list[by](after?.[1] ?? '', limit, id, kind ?? ''));
    const all = found
      .flatMap(({ rows }) => rows.map(({ row }) => ({ row, place: questionPlace(row) ?? '' })))
      .toSorted((one, other) => (one.place < other.place ? -1 : 1));
    // Past the last row of a list that continues, its further rows are unknown, so rows of the other list cannot be
    // placed yet.
    const certain = found.flatMap(({ rows, more }) => (more ? (questionPlace(rows.at(-1)?.row ?? null) ?? []) : []));
    const until = certain.toSorted()[0];
    const items = all.filter(({ place }) => until === undefined || place <= until).slice(0, limit);
    const last = items.at(-1);
    const more = items.length < all.length || certain.length > 0;
    return {
      items: items.map(({ row }) => row),
      next_cursor: more && last !== undefined ? toCursor([null, last.place]) : null,
    };
  };
};

/** Queries on the committed rows. Every function may throw. */
export const createReader = (statements: Statements, rows: StoredTables) => {
  const adminKey = statements('SELECT 1 FROM api_keys WHERE admin_of IS NOT NULL LIMIT 1');
  const keyByHash = statements('SELECT CAST(key AS BLOB) FROM api_keys WHERE key_hash = ? ORDER BY number');
  const kind = statements(`SELECT CAST(kind AS BLOB) FROM ${tables.videos.name} WHERE key = ?`);
  const kindOf = (video_id: VideoId): MediaKind | null => {
    const found = textOf(columnsOf(kind.get([video_id]))[0] ?? null);
    return MediaKind.is(found) ? found : null;
  };
  const tagged = tagVideos(rows);
  const shownAudio = (row: Parameters<typeof audioView>[0]): AudioView => audioView(row, kindOf);
  const audio = (audio_id: string): AudioView | null => {
    const row = rows.audios.get(audio_id);
    return row === undefined ? null : shownAudio(row);
  };
  return {
    video: (video_id: string): VideoView | null => {
      const row = rows.videos.get(video_id);
      return row === undefined ? null : tagged(row);
    },
    audio,
    lists: recordLists(statements, { tagged, shownAudio, audio }),
    accounts: listAccounts(statements),
    account: (account_id: string): AccountView | null => rows.accounts.get(account_id) ?? null,
    lateWrites: listRows(statements, tables.lateWrites, { where: 'number < ?1', order: 'number DESC' }),
    ...readRuns(statements, rows),
    questions: listQuestions(statements),
    key: (key_id: string): ApiKeyView | null => rows.apiKeys.get(key_id) ?? null,
    keysOf: listRows(statements, tables.apiKeys, { where: 'account_id = ?3 AND number > ?1', order: 'number' }),
    keyByHash: (key_hash: string): ApiKeyView | null => {
      const key_id = textOf(columnsOf(keyByHash.get([key_hash]))[0] ?? null);
      return key_id === null ? null : (rows.apiKeys.get(key_id) ?? null);
    },
    hasAdminKey: (): boolean => adminKey.get() !== undefined,
    creditAccount: readCreditAccount(statements, rows.creditAccounts.get),
    ledger: listLedger(statements),
    usage: readUsage(statements),
    searchEvents: searchEvents(statements),
    newestEvent: newestEvent(statements),
  };
};

export type Reader = ReturnType<typeof createReader>;
