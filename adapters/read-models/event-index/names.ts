import type Database from 'libsql';
import { columnsOf } from '../row-json.js';
import { literal } from '../writer.js';

/** A pair of texts under a small number. */
export interface Named {
  readonly number: number;
  readonly first: string;
  readonly second: string;
}

/** Pairs of texts that many events have in common, each once under a number of its own. */
export interface Names {
  /** The pair's number; a new one when it is new. */
  readonly numberOf: (first: string, second: string) => number;
  /** The statements that write what is new since the last time. */
  readonly changes: () => ReadonlyArray<string>;
  readonly forget: () => void;
}

/** Table and columns of pairs. */
export interface NamesTable {
  readonly table: string;
  readonly columns: readonly [number: string, first: string, second: string];
}

export const kinds: NamesTable = { table: 'event_kinds', columns: ['kind', 'category', 'type'] };
export const actors: NamesTable = { table: 'event_actors', columns: ['actor', 'key_id', 'account_id'] };

/** Reads the pairs that are committed, each once: none is ever changed. */
export const readNames = (db: Database.Database, { table, columns }: NamesTable): (() => ReadonlyArray<Named>) => {
  const [number, first, second] = columns;
  const select = db
    .prepare(`SELECT ${number}, ${first}, ${second} FROM ${table} WHERE ${number} > ? ORDER BY ${number}`)
    .raw(true);
  const known: Named[] = [];
  return () => {
    for (const row of select.all(known.at(-1)?.number ?? 0)) {
      const [number, first, second] = columnsOf(row);
      known.push({ number: Number(number), first: String(first), second: String(second) });
    }
    return known;
  };
};

export const createNames = (db: Database.Database, named: NamesTable): Names => {
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
      const values = added.map(({ number, first, second }) => `(${number}, ${literal(first)}, ${literal(second)})`);
      added = [];
      return values.length === 0
        ? []
        : [`INSERT INTO ${named.table} (${named.columns.join(', ')}) VALUES ${values.join(', ')}`];
    },
    forget: () => {
      next = 1;
      added = [];
      numbers = committed();
    },
  };
};
