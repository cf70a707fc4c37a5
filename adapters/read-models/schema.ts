import type { Table } from '../../projections/table.js';
import { tables } from '../../projections/tables.js';
import { applicationId, type FileLayout } from './check-file.js';
import { eventIndexSchema } from './event-index/schema.js';

type Layout = Pick<Table<never>, 'name' | 'indexes'> & { readonly columns: Readonly<Record<string, unknown>> };

/** `checksum` comes before `row`, so that summing checksums does not read long rows. */
const createTable = ({ name, columns, indexes }: Layout): string =>
  [
    `CREATE TABLE ${name} (`,
    '  number INTEGER PRIMARY KEY,',
    '  key TEXT NOT NULL UNIQUE,',
    ...Object.keys(columns).map((column) => `  ${column} TEXT,`),
    '  checksum INTEGER NOT NULL,',
    '  row TEXT NOT NULL',
    ') STRICT;',
    ...indexes.map((index) => `CREATE INDEX ${name}_by_${index.join('_')} ON ${name} (${index.join(', ')});`),
  ].join('\n');

/** `advanced_from` must be the current position, so that if two processes write at once, one fails. */
const progressTable = `CREATE TABLE progress (
  shape TEXT NOT NULL,
  position TEXT,
  details TEXT NOT NULL, -- which log, what could not be opened, sums of the tables
  checksum INTEGER NOT NULL,
  advanced_from TEXT
) STRICT;
CREATE TRIGGER one_process_advances BEFORE UPDATE ON progress WHEN NEW.advanced_from IS NOT OLD.position
  BEGIN SELECT RAISE(ABORT, 'another process writes the same read models'); END;`;

/** The state of long streams; `digest` reveals a text that is not as it was written. */
const snapshotTable = `CREATE TABLE snapshots (
  stream TEXT PRIMARY KEY,
  snapshot TEXT NOT NULL,
  digest TEXT NOT NULL
) STRICT;`;

/** All statements that prepare an empty file. `number` counts rows in the order in which they were added. */
export const schema = [
  ...Object.values(tables).map(createTable),
  eventIndexSchema,
  progressTable,
  snapshotTable,
  `PRAGMA application_id = ${applicationId};`,
].join('\n');

/** What the content of a file depends on besides the events: its tables and the versions of the projections. */
export const shapeOf = (versions: ReadonlyArray<{ readonly name: string; readonly version: number }>): string =>
  [...versions.map(({ name, version }) => `${name} ${version}`), schema].join('\n');

/** The layout that files of this program are checked against. */
export const layoutOf = (versions: Parameters<typeof shapeOf>[0]): FileLayout => ({
  shape: shapeOf(versions),
  tables: Object.values(tables).map(({ name, columns }) => ({ name, columns: Object.keys(columns) })),
});
