import type { EventRow } from '../../event-store/sqlite/event-row.js';
import { invalid } from '../errors.js';
import { matchInThread } from './regex-thread.js';

/** Which rows a client wants. */
export interface RowFilter {
  /** To be awaited before any of these rows is asked about. Rejects with the answer to give. */
  readonly learn: (rows: ReadonlyArray<EventRow>) => Promise<void>;
  readonly passes: (row: EventRow) => boolean;
}

/** What a name must match: a regular expression, or one of several beginnings. */
export interface Expression {
  readonly regex: string;
  readonly prefixes: ReadonlyArray<string>;
}

const stream = 1;
const type = 4;

/** So many names are remembered with their answers; a page has fewer. */
const mostNames = 10_000;

const byRegex = (column: typeof stream | typeof type, regex: string): RowFilter => {
  const known = new Map<string, boolean>();
  return {
    learn: async (rows) => {
      if (known.size > mostNames) known.clear();
      const names = [...new Set(rows.map((row) => row[column]))].filter((name) => !known.has(name));
      if (names.length === 0) return;
      const matching = await matchInThread({ regex, names }).catch(() => {
        throw invalid('the regular expression of the filter takes too long');
      });
      names.forEach((name, index) => known.set(name, matching[index] === true));
    },
    passes: (row) => known.get(row[column]) ?? true,
  };
};

/** A filter over stream names or event types. Throws on a regular expression that is none. */
export const rowFilter = (on: 'stream' | 'type', { regex, prefixes }: Expression): RowFilter => {
  const column = on === 'stream' ? stream : type;
  if (regex !== '') {
    void new RegExp(regex, 'u');
    return byRegex(column, regex);
  }
  return {
    learn: () => Promise.resolve(),
    passes: (row) => prefixes.some((prefix) => row[column].startsWith(prefix)),
  };
};
