import type { EventRow } from '../../sqlite/event-row.js';

export type RowFilter = (row: EventRow) => boolean;

/** What a name must match: a regular expression, or one of several beginnings. */
export interface Expression {
  readonly regex: string;
  readonly prefixes: ReadonlyArray<string>;
}

const stream = 1;
const type = 4;

/** A filter over stream names or event types. Throws on a regular expression that is none. */
export const rowFilter = (on: 'stream' | 'type', { regex, prefixes }: Expression): RowFilter => {
  const column = on === 'stream' ? stream : type;
  if (regex !== '') {
    const pattern = new RegExp(regex, 'u');
    return (row) => pattern.test(row[column]);
  }
  return (row) => prefixes.some((prefix) => row[column].startsWith(prefix));
};
