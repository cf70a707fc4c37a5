import { decimalIn, numberAt, secondsAt, toMicrosecond } from './times.js';
import { type Interval, type Reading, refuse } from './format.js';

/** A row of a table, its columns, and its line in the file. */
export interface Row {
  readonly line: number;
  readonly columns: ReadonlyArray<string>;
}

/** The rows of a table whose columns are separated by white space, or by this. Comments begin with `;;`. */
export function* rowsOf(lines: Iterable<string>, separator: string | RegExp = /\s+/): Generator<Row> {
  let line = 0;
  for (const text of lines) {
    line += 1;
    const row = text.trim();
    if (row !== '' && !row.startsWith(';;')) yield { line, columns: row.split(separator).map((cell) => cell.trim()) };
  }
}

/** Whether at least half of the first rows of a text are as a format has them. */
export const areMost = (rows: Iterable<Row>, isRow: (columns: ReadonlyArray<string>) => boolean): boolean => {
  const known = [...rows].slice(0, 50).map(({ columns }) => isRow(columns));
  return known.length > 0 && known.filter(Boolean).length * 2 >= known.length;
};

/** A piece with a start, which the format calls `name`, and a duration; if that is negative, it ends before it starts. */
export const intervalOf = (
  line: number,
  name: string,
  [from, duration]: ReadonlyArray<string | undefined>,
): Interval => {
  const start = secondsAt(line, name, numberAt(line, name, from));
  const end = toMicrosecond(start + numberAt(line, 'duration', duration));
  return { start, end: end < start ? end : secondsAt(line, 'end', end) };
};

/** Whether a column is a number, for recognising a format. */
export const isNumeric = (text: string | undefined): boolean => decimalIn(text ?? '') !== null;

const quoted = (ids: ReadonlyArray<string>): string => ids.map((id) => JSON.stringify(id)).join(' and ');

/** Selects the rows of one recording: the chosen one, or the only one in the file. */
export class RecordingChoice {
  readonly #reading: Reading;
  #chosen: string | null = null;
  #hasOthers = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Whether a row of this recording is imported; refuses the file if it has a second one that nobody chose from. */
  takes(recording: string, line: number): boolean {
    if (recording === this.#chosen) return true;
    const { recordings: wanted = [], dropped } = this.#reading;
    if (wanted.length > 0 && !wanted.includes(recording)) {
      this.#hasOthers = true;
      dropped.add('row of another recording');
      return false;
    }
    if (this.#chosen !== null)
      refuse(
        line,
        `the file contains more than one recording (${quoted([this.#chosen, recording])}); choose one with --recording`,
      );
    this.#chosen = recording;
    return true;
  }

  /** The recording, after all rows; refuses the file if it has rows, but none of the wanted one. */
  chosen(): string | null {
    if (this.#chosen === null && this.#hasOthers)
      refuse(null, `the file has no rows of the recording ${quoted(this.#reading.recordings ?? [])}`);
    return this.#chosen;
  }
}
