import type * as E from 'fp-ts/lib/Either.js';
import { readNumber, readSeconds, toMicrosecond } from './fields.js';
import { type Interval, refuse, type Tally } from './format.js';

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

const valueIn = (line: number, value: E.Either<string, number>): number =>
  value._tag === 'Left' ? refuse(line, value.left) : value.right;

export const numberIn = ({ line }: Row, name: string, text = ''): number => valueIn(line, readNumber(name, text));

export const secondsIn = ({ line }: Row, name: string, text = ''): number =>
  toMicrosecond(valueIn(line, readSeconds(name, text)));

/** A piece with a start and a duration; with a negative duration it ends before it starts. */
export const lasting = (row: Row, start: string | undefined, duration: string | undefined): Interval => {
  const from = secondsIn(row, 'start', start);
  const end = toMicrosecond(from + numberIn(row, 'duration', duration));
  return { start: from, end: end < from ? end : secondsIn(row, 'end', String(end)) };
};

const decimal = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Whether a column is a number, for recognising a format. */
export const isNumeric = (text: string | undefined): boolean => text !== undefined && decimal.test(text);

const quoted = (ids: ReadonlyArray<string>): string => ids.map((id) => JSON.stringify(id)).join(' and ');

/** Selects the rows of one recording: the chosen one, or the only one in the file. */
interface RecordingChoice {
  /** Whether a row of this recording is imported; refuses the file if it has a second one that nobody chose from. */
  readonly takes: (recording: string, line: number) => boolean;
  /** Counts the rows of other recordings; refuses the file if it has none of the wanted one. */
  readonly close: (dropped: Tally) => void;
  readonly chosen: () => string | null;
}

/** Selects among these recordings, of which a file may have one. */
export const chooseRecording = (wanted: ReadonlyArray<string> = []): RecordingChoice => {
  let accepted: string | null = null;
  let others = 0;
  return {
    takes: (recording, line) => {
      if (recording === accepted) return true;
      if (wanted.length > 0 && !wanted.includes(recording)) {
        others += 1;
        return false;
      }
      if (accepted !== null)
        refuse(
          line,
          `the file contains more than one recording (${quoted([accepted, recording])}); choose one with --recording`,
        );
      accepted = recording;
      return true;
    },
    close: (dropped) => {
      dropped.add('row of another recording', others);
      if (wanted.length > 0 && accepted === null && others > 0)
        refuse(null, `the file has no rows of the recording ${quoted(wanted)}`);
    },
    chosen: () => accepted,
  };
};
