import * as t from 'io-ts';
import { threadPool } from '../../runtime/thread-pool.js';
import { compiledScript } from '../../runtime/package-files.js';
import type { EventRow } from '../../event-store/sqlite/event-row.js';
import { invalid } from '../errors.js';
import type { NamesToMatch } from './match-names.js';

const pool = threadPool<NamesToMatch, ReadonlyArray<boolean>>({
  script: compiledScript('eventstoredb-endpoint/log/match-names.js'),
  result: t.readonlyArray(t.boolean),
  threads: 1,
  timeoutMs: 3_000,
  megabytes: 128,
});

/**
 * Matches names against a client's regular expression on another thread, because some expressions take practically for
 * ever. Matches run one after the other, each for at most 3 seconds; rejects after that.
 */
const matchInThread = (task: NamesToMatch): Promise<ReadonlyArray<boolean>> => pool.run(task);

/** Selects the rows that a client wants. */
export interface RowFilter {
  /** Must be awaited before `passes` is called for any of these rows. Rejects with the error for the client. */
  readonly learn: (rows: ReadonlyArray<EventRow>) => Promise<void>;
  readonly passes: (row: EventRow) => boolean;
}

/** What a name must match: a regular expression, or one of several prefixes. */
interface Expression {
  readonly regex: string;
  readonly prefixes: ReadonlyArray<string>;
}

const stream = 1;
const type = 4;

/** How many names are cached with their results; a page has fewer. */
const maxCachedNames = 10_000;

const byRegex = (column: typeof stream | typeof type, regex: string): RowFilter => {
  const known = new Map<string, boolean>();
  return {
    learn: async (rows) => {
      if (known.size > maxCachedNames) known.clear();
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

/** A filter on stream names or event types. Throws on an invalid regular expression. */
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
