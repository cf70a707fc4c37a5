import type Database from 'libsql';
import { utf8Of } from '../../runtime/utf8.js';
import type { Values } from '../changes.js';
import { DamagedFile } from '../damage.js';
import { columnsOf } from '../columns.js';

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
  /** What is new since the last time. */
  readonly changes: () => ReadonlyArray<Values>;
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
