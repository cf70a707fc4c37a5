import type { EventFilter } from '../../../application/ports/event-store.js';
import { eventColumns } from './event-row.js';

interface Query {
  readonly sql: string;
  readonly values: ReadonlyArray<string>;
}

const range = 'position > ?1 AND position <= ?2';
const firstValue = 4;

const oneOf = (values: ReadonlyArray<string>, from: number): string =>
  `(${values.map((_, index) => `?${from + index}`).join(', ')})`;

/**
 * One ordered walk of the index for each value, merged by position: so a rare value among millions is found without
 * a look at the others, and a frequent one without sorting.
 */
const merged = (
  selection: string,
  index: string,
  column: string,
  values: ReadonlyArray<string>,
  condition: string,
): string =>
  values
    .map((_, at) => `${selection} INDEXED BY ${index} WHERE ${column} = ?${firstValue + at} AND ${range}${condition}`)
    .join(' UNION ALL ');

const walk = (selection: string, filter: EventFilter): Query => {
  const types = [...new Set(filter.types)];
  const categories = [...new Set(filter.categories)];
  if (filter.types === undefined && filter.categories === undefined)
    return { sql: `${selection} WHERE ${range}`, values: [] };
  if (filter.types === undefined)
    return { sql: merged(selection, 'events_by_category', 'category', categories, ''), values: categories };
  const condition =
    filter.categories === undefined ? '' : ` AND category IN ${oneOf(categories, firstValue + types.length)}`;
  return { sql: merged(selection, 'events_by_type', 'type', types, condition), values: [...types, ...categories] };
};

const scan = (selection: string, { types = [], categories = [] }: EventFilter): Query => {
  const values = [...types, ...categories];
  const ofTypes = types.length === 0 ? '' : ` AND +type IN ${oneOf(types, firstValue)}`;
  const ofCategories =
    categories.length === 0 ? '' : ` AND +category IN ${oneOf(categories, firstValue + types.length)}`;
  return { sql: `${selection} WHERE ${range}${ofTypes}${ofCategories}`, values };
};

/**
 * The query for columns of a filter's events in order. Its parameters are the row after which and the row up to which to look,
 * the limit, then the query's own values. Null when the filter lets nothing pass. Where there are only `few` rows to
 * look at, as at the tip, it looks at each of them and at no index.
 */
export const filterQuery = (filter: EventFilter, few = false, columns = eventColumns): Query | null => {
  if (filter.types?.length === 0 || filter.categories?.length === 0) return null;
  const selection = `SELECT ${columns} FROM events`;
  const { sql, values } = few ? scan(selection, filter) : walk(selection, filter);
  return { sql: `${sql} ORDER BY position LIMIT ?3`, values };
};
