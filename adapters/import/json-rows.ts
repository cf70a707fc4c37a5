import * as E from 'fp-ts/lib/Either.js';
import type { ImportError } from './imported.js';
import { errorAt } from './line-parser.js';

/** The JSON of one row of a track, and the line where it starts. */
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

/** The state machine: which token leads from a place to which. `"` stands for any string. */
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

/** Rows have about a hundred characters; a much longer one means that its end is missing. */
const maxRowLength = 100_000;

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

/** Finds the rows in `{"track": [{…}, …], …}` line by line, without keeping the file or a track in memory. */
export class JsonRows {
  #place: Place = 'start';
  #track = '';
  #row: { line: number; parts: string[]; length: number } = { line: 0, parts: [], length: 0 };

  /** The rows that end on this line. */
  take(text: string, line: number): E.Either<ImportError, ReadonlyArray<JsonRow>> {
    const rows: JsonRow[] = [];
    for (const [token] of text.matchAll(tokens)) {
      if (token === '"') return errorAt(line, 'not valid JSON: a string has no closing quotation mark');
      const fault = this.#place === 'in row' ? this.#takeInside(token, rows) : this.#takeOutside(token, line);
      if (fault !== null) return errorAt(line, `not valid JSON of this format: ${fault}`);
    }
    if (this.#place === 'in row') this.#row.parts.push('\n');
    return E.right(rows);
  }

  finish(lastLine: number): E.Either<ImportError, void> {
    if (this.#place === 'end') return E.right(undefined);
    if (this.#place === 'start') return errorAt(null, 'the file is empty');
    const inside = this.#track === '' ? '' : `, in ${JSON.stringify(this.#track)}`;
    return errorAt(lastLine, `the JSON is incomplete${inside}; the file seems to be truncated`);
  }

  #takeInside(token: string, rows: JsonRow[]): string | null {
    const { parts, line } = this.#row;
    if (token === '{') return 'a row starts inside another';
    if (!/^["{}[\],:]/.test(token) && !bareValue.test(token)) return `${token.slice(0, 40)} is not a value`;
    parts.push(token);
    this.#row.length += token.length;
    if (this.#row.length > maxRowLength) return `the row of line ${line} does not end`;
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
