import type Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import { EventMetadata } from '../../../domain/kernel/recorded-event.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import { columnsOf } from '../row-json.js';
import { utf8Of } from '../../runtime/sqlite.js';
import type { Values, IndexChange } from '../changes.js';
import { DamagedFile } from '../damage.js';
import { blockSize, textHash } from './schema.js';

/** The number of the newest indexed event; 0 before the first. */
export const newestEvent = (db: Database.Database): (() => number) => {
  const select = db.prepare('SELECT number FROM event_index WHERE number > 0 ORDER BY number DESC LIMIT 1').raw(true);
  return () => Number(columnsOf(select.get())[0] ?? 0);
};

/** A pair of texts and its number. */
export interface Named {
  readonly number: number;
  readonly first: string;
  readonly second: string;
}

/** Pairs of texts that many events share; each is stored once, under a number. */
interface Names {
  /** The number of the pair; a new number if the pair is new. */
  readonly numberOf: (first: string, second: string) => number;
  /** The new pairs since the last call. */
  readonly changes: () => ReadonlyArray<Values>;
  readonly forget: () => void;
}

/** The table and columns of the pairs. */
interface NamesTable {
  readonly table: string;
  readonly columns: readonly [number: string, first: string, second: string];
}

export const kinds: NamesTable = { table: 'event_kinds', columns: ['kind', 'category', 'type'] };
export const actors: NamesTable = { table: 'event_actors', columns: ['actor', 'key_id', 'account_id'] };

/** Reads the committed pairs. Pairs never change, so each is read once. */
export const readNames = (db: Database.Database, { table, columns }: NamesTable): (() => ReadonlyArray<Named>) => {
  const [number, first, second] = columns;
  const select = db
    .prepare(
      `SELECT ${number}, CAST(${first} AS BLOB), CAST(${second} AS BLOB) FROM ${table}
       WHERE ${number} > ? ORDER BY ${number}`,
    )
    .raw(true);
  const known: Named[] = [];
  return () => {
    for (const row of select.all(known.at(-1)?.number ?? 0)) {
      const [number, ...texts] = columnsOf(row);
      const [first, second] = texts.map(utf8Of);
      if (typeof first !== 'string' || typeof second !== 'string')
        throw new DamagedFile(`a row of ${table} is not valid UTF-8`);
      known.push({ number: Number(number), first, second });
    }
    return known;
  };
};

const createNames = (db: Database.Database, named: NamesTable): Names => {
  const committed = (): Map<string, Map<string, number>> => {
    const numbers = new Map<string, Map<string, number>>();
    for (const { number, first, second } of readNames(db, named)()) {
      numbers.set(first, (numbers.get(first) ?? new Map<string, number>()).set(second, number));
      next = number + 1;
    }
    return numbers;
  };
  let next = 1;
  let added: Named[] = [];
  let numbers = committed();
  return {
    numberOf: (first, second) => {
      const known = numbers.get(first)?.get(second);
      if (known !== undefined) return known;
      const number = next;
      next += 1;
      numbers.set(first, (numbers.get(first) ?? new Map<string, number>()).set(second, number));
      added.push({ number, first, second });
      return number;
    },
    changes: () => {
      const changed = added.map(({ number, first, second }) => [number, first, second]);
      added = [];
      return changed;
    },
    forget: () => {
      next = 1;
      added = [];
      numbers = committed();
    },
  };
};

/** The index of all events by what can be searched for. Entries are kept in memory until they are committed. */
export interface EventIndex {
  /** Adds the next event of the log, whether or not a codec can read it. */
  readonly put: (stored: StoredEvent) => void;
  /** The new entries since the last call. */
  readonly changes: () => IndexChange;
  /** Discards what is not committed. */
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
