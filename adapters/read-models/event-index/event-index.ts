import type Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import { EventMetadata } from '../../../domain/kernel/recorded-event.js';
import type { IndexChange, Values } from '../changes.js';
import { actors, createNames, kinds } from './names.js';
import { newestEvent } from './newest-event.js';
import { blockSize } from './schema.js';
import { textHash } from './text-hash.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';

/** Where each event of the log is, by what can be asked for. What is put is kept until it is committed. */
export interface EventIndex {
  /** Adds the next event of the log, whether or not any codec reads it. */
  readonly put: (stored: StoredEvent) => void;
  /** What was put since the last time. */
  readonly changes: () => IndexChange;
  /** Forgets what is not committed. */
  readonly forget: () => void;
}

interface Stretch {
  readonly first_at: number;
  readonly last_at: number;
}

const unknown = { actor: { key_id: '', account_id: '' }, correlation_id: '', recorded_at: null };

/** The index in a file of read models; `db` is for reading. Every function may throw. */
export const createEventIndex = (db: Database.Database): EventIndex => {
  const ofKind = createNames(db, kinds);
  const ofActor = createNames(db, actors);
  const newest = newestEvent(db);
  let number = newest();
  let rows: Values[] = [];
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
      rows.push([number, stream, revision, textHash(stream), textHash(correlation_id), kind, by, at]);
      widen(Math.floor((number - 1) / blockSize), at);
    },
    changes: () => {
      const change: IndexChange = {
        events: rows,
        blocks: Array.from(blocks, ([block, { first_at, last_at }]) => [block, first_at, last_at]),
        kinds: ofKind.changes(),
        actors: ofActor.changes(),
      };
      rows = [];
      blocks = new Map();
      return change;
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
