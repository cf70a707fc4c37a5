import type { Difference } from '../../projections/audit/explain.js';
import type { withheldAs } from '../../projections/audit/shown-event.js';

/** The terminal on which progress is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

const width = 30;
const clear = '\r\u001B[K';

const bar = (share: number): string => '#'.repeat(Math.round(share * width)).padEnd(width, '.');

/** The progress of reading: how many events, or what else is counted; `share` is from 0 to 1, or null if unknown. */
interface ReadProgress {
  readonly events: number;
  readonly share: number | null;
  readonly counted?: string;
}

const untilShown = 1_000;
const betweenLines = 100;

/**
 * Shows the progress of work that reads a log or files, only on a terminal: one line if it takes longer than a second,
 * redrawn at most ten times a second and removed before the result is printed. The clock is in milliseconds.
 */
export const watchedOn =
  (screen: Screen, clock: () => number = () => performance.now()) =>
  async <Result>(work: (onProgress: (progress: ReadProgress) => void) => Promise<Result>): Promise<Result> => {
    let next = clock() + untilShown;
    let isShown = false;
    try {
      return await work(({ events, share, counted = 'events' }) => {
        if (screen.isTTY !== true || clock() < next) return;
        next = clock() + betweenLines;
        isShown = true;
        const known = share === null ? '' : `${bar(share)} ${Math.floor(100 * share)} % `;
        screen.write(`${clear}${known}${events.toLocaleString('en-GB')} ${counted}`);
      });
    } finally {
      if (isShown) screen.write(clear);
    }
  };

/** Texts in columns, each as wide as its widest. */
export const columns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/** Rows under the names of their columns; nothing if there are no rows. */
export const labelled = (
  names: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): ReadonlyArray<string> => (rows.length === 0 ? [] : columns([names, ...rows]));

type Withheld = Readonly<ReturnType<typeof withheldAs>>;

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Colours of a terminal, or none. */
export type Paint = Readonly<Record<Colour, (text: string) => string>>;

const code = (on: boolean, number: number) => (text: string) => (on ? `\u001B[${number}m${text}\u001B[0m` : text);

export const paint = ({ isTTY: on = false }: Screen): Paint => ({
  bold: code(on, 1),
  dim: code(on, 2),
  red: code(on, 31),
  green: code(on, 32),
  yellow: code(on, 33),
});

/** A count with its noun, as in `2 rows`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const longest = 120;
/** Of a value that is shown for itself, as a row of results. */
const longestDifference = 400;

/** A value on one line; control characters of a terminal are escaped. */
export const oneLine = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).replaceAll(/[\u007F-\u009F]/g, '?');

/** The beginning of a value on one line. */
export const brief = (value: unknown, length = longest): string => {
  const text = oneLine(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
};

/** Why the content of an event is not shown; null if it is. */
export const whyWithheld = ({ erased, key_missing }: Withheld): string | null => {
  if (erased === true) return 'erased';
  return key_missing === true ? 'cannot be read: its key is missing' : null;
};

const shown = (value: unknown): string => brief(value, longestDifference);

/** A difference as lines: the old value in red, the new value in green. */
export const differenceLine = ({ red, green }: Paint, { path, before, after }: Difference): string => {
  const place = path === '' ? '' : `${path}: `;
  if (before === undefined || (before === null && path === '')) return green(`    + ${place}${shown(after)}`);
  if (after === undefined) return red(`    - ${place}${shown(before)}`);
  return `    ~ ${place}${red(shown(before))} → ${green(shown(after))}`;
};
