import * as E from 'fp-ts/lib/Either.js';
import type { ImportError } from './imported.js';
import { brokenAt } from './line-parser.js';

/** One row of one track as the file writes it, and where it starts. */
export interface JsonRow {
  readonly track: string;
  readonly line: number;
  readonly json: string;
}

type Place =
  | 'start'
  | 'name'
  | 'name or }'
  | 'colon'
  | 'list'
  | 'row'
  | 'row or ]'
  | 'in row'
  | 'after row'
  | 'after list'
  | 'end';

/** Where a token leads; `"` stands for any text. */
const leads: Readonly<Record<Exclude<Place, 'in row'>, ReadonlyMap<string, Place>>> = {
  start: new Map([['{', 'name or }']]),
  'name or }': new Map([
    ['"', 'colon'],
    ['}', 'end'],
  ]),
  name: new Map([['"', 'colon']]),
  colon: new Map([[':', 'list']]),
  list: new Map([['[', 'row or ]']]),
  'row or ]': new Map([
    ['{', 'in row'],
    [']', 'after list'],
  ]),
  row: new Map([['{', 'in row']]),
  'after row': new Map([
    [',', 'row'],
    [']', 'after list'],
  ]),
  'after list': new Map([
    [',', 'name'],
    ['}', 'end'],
  ]),
  end: new Map(),
};

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+|"/g;

const bareValue = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** A row is some hundred characters long; more means that its end is missing. */
const longestRow = 100_000;

const readText = (token: string): string | null =>
  E.getOrElse<unknown, string | null>(() => null)(
    E.tryCatch(
      () => {
        const text: unknown = JSON.parse(token);
        return typeof text === 'string' ? text : null;
      },
      (error) => error,
    ),
  );

/** Finds the rows in `{"track": [{…}, …], …}` line by line, so that neither file nor track is held in memory. */
export class JsonRows {
  #place: Place = 'start';
  #track = '';
  #row: { line: number; parts: string[]; length: number } = { line: 0, parts: [], length: 0 };

  /** The rows that end on this line. */
  take(text: string, line: number): E.Either<ImportError, ReadonlyArray<JsonRow>> {
    const rows: JsonRow[] = [];
    for (const [token] of text.matchAll(tokens)) {
      if (token === '"') return brokenAt(line, 'not valid JSON: a text has no closing quotation mark');
      const fault = this.#place === 'in row' ? this.#takeInside(token, rows) : this.#takeOutside(token, line);
      if (fault !== null) return brokenAt(line, `not valid JSON of this format: ${fault}`);
    }
    if (this.#place === 'in row') this.#row.parts.push('\n');
    return E.right(rows);
  }

  finish(lastLine: number): E.Either<ImportError, void> {
    if (this.#place === 'end') return E.right(undefined);
    if (this.#place === 'start') return brokenAt(null, 'the file is empty');
    const inside = this.#track === '' ? '' : `, in ${JSON.stringify(this.#track)}`;
    return brokenAt(lastLine, `the file ends before its JSON does${inside}: it seems to be cut off`);
  }

  #takeInside(token: string, rows: JsonRow[]): string | null {
    const { parts, line } = this.#row;
    if (token === '{') return 'a row starts inside another';
    if (!/^["{}[\],:]/.test(token) && !bareValue.test(token)) return `${token.slice(0, 40)} is not a value`;
    parts.push(token);
    this.#row.length += token.length;
    if (this.#row.length > longestRow) return `the row of line ${line} does not end`;
    if (token !== '}') return null;
    rows.push({ track: this.#track, line, json: parts.join(' ') });
    this.#place = 'after row';
    return null;
  }

  #takeOutside(token: string, line: number): string | null {
    if (this.#place === 'in row') return null;
    const next = leads[this.#place].get(token.startsWith('"') ? '"' : token);
    if (next === undefined)
      return `${token.slice(0, 40)} where ${[...leads[this.#place].keys()].join(' or ') || 'the end'} is expected`;
    if (next === 'colon') {
      const track = readText(token);
      if (track === null) return `the name ${token.slice(0, 40)}`;
      this.#track = track;
    }
    if (next === 'in row') this.#row = { line, parts: [token], length: 0 };
    this.#place = next;
    return null;
  }
}
