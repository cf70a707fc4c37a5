import type Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { constVoid, identity } from 'fp-ts/lib/function.js';
import type { Snapshots } from '../../application/ports/snapshots.js';
import { parsedJson } from '../runtime/json.js';
import { inTransaction, utf8Of } from '../runtime/sqlite.js';
import { type Statements, statementsOf } from './sqlite.js';
import { readEvent, readMetadata } from '../../application/commands/read-event.js';
import type { UnreadableEvent } from '../../application/failures.js';
import type { Page, StoredEvent } from '../../application/ports/event-store.js';
import { isErasing } from '../../domain/event-catalogue.js';
import { streamCategory } from '../../domain/kernel/recorded-event.js';
import type { Awaited } from '../../projections/queries.js';
import { projections } from '../../projections/projections.js';
import { overwriteErasedContent } from './erased-content.js';
import { addToEventIndex } from './event-index.js';
import { advanced, type Progress, readProgress, writeProgress, openDatabase } from './file.js';
import { createReader, type Reader } from './queries.js';
import { openTables } from './stored-table.js';

const Stored = t.type({ version: t.number, revision: t.number, event_id: t.string, state: t.unknown });

/** The snapshots in the file. Failures are ignored: a snapshot can be made again. */
const snapshotsIn = (db: Database.Database, statements: Statements): Snapshots => ({
  load: (stream) => async () => {
    if (!db.open) return null;
    const read = E.tryCatch(() => {
      const [text] = statements('SELECT CAST(snapshot AS BLOB) FROM snapshots WHERE stream = ?').first(stream);
      return parsedJson(utf8Of(text) ?? '');
    }, constVoid);
    return E.isRight(read) && Stored.is(read.right) ? read.right : null;
  },
  save: (stream, { version, revision, event_id, state }) => {
    if (!db.open) return;
    const text = JSON.stringify({ version, revision, event_id, state });
    E.tryCatch(() => statements('INSERT OR REPLACE INTO snapshots VALUES (?, ?)').run(stream, text), constVoid);
  },
});

/** What a commit changed of the rows that can be waited for: their keys. */
export type Changes = Readonly<Record<Extract<Awaited, string>, ReadonlyArray<string>>>;

/** The result of a transaction. */
interface Applied {
  /** How many events of the page are in the rows now. */
  readonly upTo: number;
  readonly changes: Changes;
  /** The event after these, if no codec reads it. */
  readonly unreadable: UnreadableEvent | null;
}

/** The open file: its rows and its progress. */
export interface Session {
  readonly reader: Reader;
  readonly snapshots: Snapshots;
  /** Why the file was created empty; null when it continues. */
  readonly rebuildReason: string | null;
  readonly progress: () => Progress;
  /**
   * Projects the next events of a page, after so many of them, in one short transaction with the progress. Throws, with
   * nothing written and nothing kept in memory, also when another process has written meanwhile.
   */
  readonly apply: (page: Page, after: number) => Applied;
  readonly close: () => void;
}

/** A transaction ends after so many events or milliseconds; the next one is in another turn. */
const [maxEvents, maxMs] = [500, 25];

const projected = new Set(projections.flatMap(({ categories }) => categories));

const openParts = (db: Database.Database) => {
  const statements = statementsOf(db);
  const rows = openTables(statements);
  return {
    db,
    statements,
    rows,
    addToIndex: addToEventIndex(statements),
    stored: readProgress(statements),
    reader: createReader(statements, rows),
    snapshots: snapshotsIn(db, statements),
  };
};

/** Projects events inside a transaction. */
const projector = ({ statements, rows, addToIndex }: ReturnType<typeof openParts>, onErasure: () => void) => {
  /** Projects an event. One that no projection reads is only in the event index, and need not be readable. */
  const projectOne = (event: StoredEvent): UnreadableEvent | null => {
    if (!projected.has(streamCategory(event.stream))) {
      addToIndex(event, E.getOrElseW(() => null)(readMetadata(event)));
      return null;
    }
    const found = readEvent(event);
    if (E.isLeft(found)) return found.left;
    for (const projection of projections) projection.project(rows, found.right);
    addToIndex(event, found.right.metadata);
    return null;
  };

  /** Projects and writes the next events of a page, and the progress. */
  return ({ events, examined }: Page, after: number, progress: Progress) => {
    const until = performance.now() + maxMs;
    let [upTo, next, erases] = [after, progress, false];
    let unreadable: UnreadableEvent | null = null;
    for (const event of events.slice(after, after + maxEvents)) {
      if (upTo > after && performance.now() > until) break;
      unreadable = projectOne(event);
      if (unreadable !== null) break;
      erases ||= isErasing(event.type);
      next = advanced(next, event);
      upTo += 1;
    }
    if (upTo === events.length) next = { ...next, position: examined ?? next.position };
    const changes: Changes = {
      match_runs: rows.matchRuns.write(),
      videos: rows.videos.write(),
      audios: rows.audios.write(),
    };
    Object.values(rows).forEach((table) => void table.write());
    writeProgress(statements, next, progress.position);
    if (erases) onErasure();
    return { next, applied: { upTo, unreadable, changes } };
  };
};

/** Opens the file; rebuilds it when necessary, or `because` of something. Throws when it cannot be used. */
export const openSession = (file: string, because: string | null = null): Session => {
  const { rebuildReason, ...parts } = openDatabase(file, openParts, because);
  const { db, statements, rows, stored, reader, snapshots } = parts;
  const erasing = overwriteErasedContent(db);
  const project = projector(parts, erasing.begin);
  let progress = stored;
  return {
    reader,
    snapshots,
    rebuildReason,
    progress: () => progress,
    apply: (page, after) => {
      try {
        const { next, applied } = inTransaction(db, () => project(page, after, progress));
        progress = next;
        return applied;
      } catch (error) {
        Object.values(rows).forEach((table) => table.forget());
        progress = readProgress(statements);
        throw error;
      }
    },
    close: () => {
      erasing.stop();
      E.tryCatch(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'), identity);
      db.close();
    },
  };
};
