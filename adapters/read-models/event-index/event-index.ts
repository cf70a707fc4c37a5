import type Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import { EventMetadata } from '../../../domain/kernel/recorded-event.js';
import { streamCategory } from '../../../projections/event-selection.js';
import { literal } from '../writer.js';
import { actors, createNames, kinds } from './names.js';
import { newestEvent } from './newest-event.js';
import { blockSize } from './schema.js';
import { textHash } from './text-hash.js';

/** Where each event of the log is, by what can be asked for. What is put is kept until it is committed. */
export interface EventIndex {
  /** Adds the next event of the log, whether or not any codec reads it. */
  readonly put: (stored: StoredEvent) => void;
  /** The statements that write what was put since the last time. */
  readonly changes: () => ReadonlyArray<string>;
  /** Forgets what is not committed. */
  readonly forget: () => void;
}

interface Stretch {
  readonly first_at: number;
  readonly last_at: number;
}

const unknown = { actor: { key_id: '', account_id: '' }, correlation_id: '', recorded_at: null };

const columns = 'number, stream, revision, stream_hash, request_hash, kind, actor, at';

const writeBlocks = (blocks: ReadonlyMap<number, Stretch>): string =>
  `INSERT INTO event_blocks (block, first_at, last_at) VALUES
   ${Array.from(blocks, ([block, { first_at, last_at }]) => `(${block}, ${first_at}, ${last_at})`).join(', ')}
   ON CONFLICT (block) DO UPDATE
   SET first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`;

/** The index in a file of read models; `db` is for reading. Every function may throw. */
export const createEventIndex = (db: Database.Database): EventIndex => {
  const ofKind = createNames(db, kinds);
  const ofActor = createNames(db, actors);
  const newest = newestEvent(db);
  let number = newest();
  let rows: string[] = [];
  let blocks = new Map<number, Stretch>();
  const widen = (block: number, at: number): void => {
    const { first_at, last_at } = blocks.get(block) ?? { first_at: at, last_at: at };
    blocks.set(block, { first_at: Math.min(first_at, at), last_at: Math.max(last_at, at) });
  };
  return {
    put: ({ stream, revision, type, metadata }) => {
      const known = EventMetadata.decode(metadata);
      const { actor, correlation_id, recorded_at } = E.isRight(known) ? known.right : unknown;
      const at = recorded_at === null ? 0 : Date.parse(recorded_at);
      number += 1;
      const kind = ofKind.numberOf(streamCategory(stream), type);
      const by = ofActor.numberOf(actor.key_id, actor.account_id);
      const hashes = `${textHash(stream)}, ${textHash(correlation_id)}`;
      rows.push(`(${number}, ${literal(stream)}, ${revision}, ${hashes}, ${kind}, ${by}, ${at})`);
      widen(Math.floor((number - 1) / blockSize), at);
    },
    changes: () => {
      if (rows.length === 0) return [];
      const insert = `INSERT INTO event_index (${columns}) VALUES ${rows.join(',\n')}`;
      const statements = [insert, writeBlocks(blocks), ...ofKind.changes(), ...ofActor.changes()];
      rows = [];
      blocks = new Map();
      return statements;
    },
    forget: () => {
      ofKind.forget();
      ofActor.forget();
      rows = [];
      blocks = new Map();
      number = newest();
    },
  };
};
