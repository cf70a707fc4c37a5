import Database from 'libsql';
import { LRUCache } from 'lru-cache';
import type { VideoId } from '../../domain/kernel/ids.js';
import { MediaKind } from '../../domain/kernel/media.js';
import { audioView } from '../../projections/shown-records.js';
import { tables } from '../../projections/tables.js';
import type { Listing } from '../../projections/queries.js';
import type { AccountView, ApiKeyView, AudioRow, AudioView, VideoView } from '../../projections/views.js';
import { columnsOf, readRow, rowColumns } from './row-json.js';
import { toPlaceCursor } from './cursors.js';
import { findBy, listNewest, listOldest } from './found-rows.js';
import { newestEvent } from './event-index/event-index.js';
import { searchEvents } from './event-index/search.js';
import { listLedger, readCreditAccount } from './ledger.js';
import { readRuns } from './match-runs.js';
import { listQuestions } from './review.js';
import type { Session } from './session.js';
import { recordLists, tagVideos } from './record-lists.js';
import { readUsage } from './usage.js';

const maxCachedKeys = 1_000;

/** Finds API keys by their hash; caches those it found until the next change of any key. */
const recogniseKeys = ({ db, rows }: Pick<Session, 'db' | 'rows'>): ((key_hash: string) => ApiKeyView | null) => {
  const find = findBy(db, tables.apiKeys, 'key_hash');
  const known = new LRUCache<string, ApiKeyView>({ max: maxCachedKeys });
  let generation = rows.apiKeys.generation();
  return (key_hash) => {
    if (rows.apiKeys.generation() !== generation) known.clear();
    generation = rows.apiKeys.generation();
    const key = known.get(key_hash) ?? find(key_hash)[0] ?? null;
    if (key !== null) known.set(key_hash, key);
    return key;
  };
};

/** Audios as clients see them; parts depend on the kinds of their videos. */
const showAudios = (db: Database.Database): ((row: AudioRow) => AudioView) => {
  const select = db.prepare(`SELECT kind FROM ${tables.videos.name} WHERE key = ?`).raw(true);
  const kindOf = (video_id: VideoId): MediaKind | null => {
    const [kind] = columnsOf(select.get(video_id));
    return MediaKind.is(kind) ? kind : null;
  };
  return (row) => audioView(row, kindOf);
};

/** Lists accounts by id, those after the given one. Their rows are small. */
const listAccounts = (db: Database.Database): ((after: string, limit: number) => Listing<AccountView>) => {
  const { name } = tables.accounts;
  const select = db.prepare(`SELECT ${rowColumns} FROM ${name} WHERE key > ? ORDER BY key LIMIT ?`).raw(true);
  return (after, limit) => {
    const found = select.all(after, limit + 1).map((result) => {
      const [bytes, checksum] = columnsOf(result);
      return readRow(tables.accounts, bytes, checksum).row;
    });
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return { items, next_cursor: last === undefined ? null : toPlaceCursor({ value: null, key: last.account_id }) };
  };
};

/** Queries on the committed rows, with prepared statements. Every function may throw. */
export const createReader = ({ db, rows }: Pick<Session, 'db' | 'rows'>) => {
  const adminKey = db.prepare('SELECT 1 FROM api_keys WHERE admin_of IS NOT NULL LIMIT 1').raw(true);
  const tagged = tagVideos({ rows });
  const shownAudio = showAudios(db);
  const audio = (audio_id: string): AudioView | null => {
    const row = rows.audios.committed(audio_id);
    return row && shownAudio(row);
  };
  return {
    video: (video_id: string): VideoView | null => {
      const row = rows.videos.committed(video_id);
      return row && tagged(row);
    },
    audio,
    lists: recordLists(db, { tagged, shownAudio, audio }),
    accounts: listAccounts(db),
    account: rows.accounts.committed,
    lateWrites: listNewest(db, tables.lateWrites, null),
    ...readRuns(db, rows),
    questions: listQuestions(db),
    key: rows.apiKeys.committed,
    keysOf: listOldest(db, tables.apiKeys, 'account_id'),
    keyByHash: recogniseKeys({ db, rows }),
    hasAdminKey: (): boolean => adminKey.get() !== undefined,
    creditAccount: readCreditAccount(db, rows.creditAccounts.committed),
    ledger: listLedger(db),
    usage: readUsage(db),
    searchEvents: searchEvents(db),
    newestEvent: newestEvent(db),
  };
};

export type Reader = ReturnType<typeof createReader>;
