import type { Difference } from '../../../projections/audit/differences.js';
import type { withheldAs } from '../../../projections/audit/shown-event.js';

type Withheld = Readonly<ReturnType<typeof withheldAs>>;

/** Colours of a terminal, or none. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const code = (on: boolean, number: number) => (text: string) => (on ? `\u001B[${number}m${text}\u001B[0m` : text);

export const paint = (on: boolean): Paint => ({
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
