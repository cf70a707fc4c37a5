import { Script, createContext } from 'node:vm';
import type { EventRow } from '../event-store/sqlite/read.js';
import { invalid } from './errors.js';

/** Which rows a client wants. Throws the error for the client. */
export type RowFilter = (rows: ReadonlyArray<EventRow>) => ReadonlyArray<boolean>;

/** What a name must match: a regular expression, or one of several prefixes. */
interface Expression {
  readonly regex: string;
  readonly prefixes: ReadonlyArray<string>;
}

/**
 * Some regular expressions take practically for ever on some names. Node interrupts only what runs in a context of its
 * own, so that is where they run, for at most this long for a page of names.
 */
const maxMatchingMs = 200;
const matching = new Script('names.map((name) => pattern.test(name))');
const context = createContext({});

const matches = (pattern: RegExp, names: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  Object.assign(context, { pattern, names });
  try {
    const found: unknown = matching.runInContext(context, { timeout: maxMatchingMs });
    return Array.isArray(found) ? found : [];
  } catch {
    throw invalid('the regular expression of the filter takes too long');
  }
};

/** A filter on stream names or event types. Throws on an invalid regular expression. */
export const rowFilter = (on: 'stream' | 'type', { regex, prefixes }: Expression): RowFilter => {
  const nameOf = ([, stream, , , type]: EventRow): string => (on === 'stream' ? stream : type);
  if (regex === '') return (rows) => rows.map((row) => prefixes.some((prefix) => nameOf(row).startsWith(prefix)));
  const pattern = new RegExp(regex, 'u');
  return (rows) => {
    const names = [...new Set(rows.map(nameOf))];
    const found = names.length === 0 ? [] : matches(pattern, names);
    const wanted = new Set(names.filter((_, index) => found[index] === true));
    return rows.map((row) => wanted.has(nameOf(row)));
  };
};
