import * as t from 'io-ts';
import { nullable, type RecordedEvent } from '../domain/kernel/recorded-event.js';
import { FaceId, RunId } from '../domain/kernel/ids.js';
import { creditsOf } from '../domain/kernel/credits.js';
import { LedgerEntry, SessionKeyRow, UsageRow } from './credit-views.js';
import { needsReview, questionKey, questionPlace, ReviewQuestion } from './review.js';
import { tagRowKey, VideoTagRow } from './tag-views.js';
import { AccountView, ApiKeyView, AudioRow, LateArrival, LateWriteView, MatchRunView, VideoRow } from './views.js';
import type { DomainEvent } from '../domain/event-catalogue.js';

/** A table of JSON rows. A row replaces an earlier one with the same key. Insertion order is kept. */
export interface Table<Row> {
  readonly name: string;
  readonly codec: Pick<t.Type<Row>, 'is'>;
  readonly key: (row: Row) => string;
  /** Columns for searching and sorting, besides the key. A null column is not indexed. */
  readonly columns: Readonly<Record<string, (row: Row) => string | null>>;
  /** The columns of each index, in order. */
  readonly indexes: ReadonlyArray<ReadonlyArray<string>>;
}

/** Access of a projection to a table's rows. */
export interface TableRows<Row> {
  readonly get: (key: string) => Row | undefined;
  /** Inserts or replaces a row. */
  readonly put: (row: Row) => void;
  readonly delete: (key: string) => void;
  /** The rows with a value in a column, unordered. */
  readonly where: (column: string, value: string) => ReadonlyArray<Row>;
}

/** Normalizes a title for searching and sorting: ignores case and the encoding of accents. */
export const foldedTitle = (title: string): string =>
  title.toWellFormed().replaceAll('\0', ' ').normalize('NFC').toUpperCase().toLowerCase();

const sortedBy = 200;

/** The sort key of a title: its normalized beginning. */
export const titleOrder = (title: string): string => foldedTitle(title).slice(0, sortedBy).toWellFormed();

/**
 * A match run receives its video's events in any order; `video_revision` tells which is newer. Late arrivals are rows
 * of their own, so they are empty in `view`.
 */
const MatchRunRow = t.type(
  {
    view: MatchRunView,
    started: nullable(t.number),
    answered: nullable(t.number),
    undone: nullable(t.number),
    /** For each face that the run changed: the newest event about it, and whether the change is in force. */
    faces: t.readonlyArray(t.type({ face_id: FaceId, video_revision: t.number, changed: t.boolean })),
  },
  'MatchRunRow',
);
export type MatchRunRow = t.TypeOf<typeof MatchRunRow>;

const LateArrivalRow = t.type({ position: t.string, run_id: RunId, arrival: LateArrival }, 'LateArrivalRow');
export type LateArrivalRow = t.TypeOf<typeof LateArrivalRow>;

const digits = 16;

/** Formats a number so that it sorts numerically as a string. */
const sortable = (number: number): string => String(number).padStart(digits, '0');

type Listable = {
  readonly record: Pick<(VideoRow | AudioRow)['record'], 'owner_id' | 'status' | 'title' | 'created_at' | 'updated_at'>;
};

/** Columns that are fields of the row. */
const fields = <Name extends string>(...names: ReadonlyArray<Name>) =>
  Object.fromEntries(names.map((name) => [name, (row: Readonly<Record<Name, string | null>>) => row[name]]));

/** A table without further columns. */
const foundByKey = <Row>(name: string, codec: Table<Row>['codec'], key: Table<Row>['key']): Table<Row> => ({
  name,
  codec,
  key,
  columns: {},
  indexes: [],
});

/** Columns for lists of videos and audios. */
const recordColumns = {
  owner_id: ({ record }: Listable) => record.owner_id,
  status: ({ record }: Listable) => record.status,
  title: ({ record: { title } }: Listable) => title && foldedTitle(title),
  title_order: ({ record: { title } }: Listable) => title && titleOrder(title),
  created_at: ({ record }: Listable) => record.created_at,
  updated_at: ({ record }: Listable) => record.updated_at,
  /** When a record that waits for its analysis was created: workers look for these again and again. */
  waits_since: ({ record }: Listable) => (record.status === 'queue' ? record.created_at : null),
};

/** For each sort order, one index per owner and one for all. */
const recordIndexes = ['created_at', 'updated_at', 'title_order', 'waits_since'].flatMap((column) => [
  ['owner_id', column, 'key'],
  [column, 'key'],
]);

const videos: Table<VideoRow> = {
  name: 'videos',
  codec: VideoRow,
  key: ({ record }) => record.video_id,
  columns: {
    ...recordColumns,
    kind: ({ record }) => record.kind,
    audio_id: ({ record }) => record.audio_id,
    needs_review: (row) => (needsReview(row) ? 'yes' : null),
  },
  indexes: recordIndexes,
};

/** The place of a tag in the list of its video's tags. */
export const tagPlace = ({ place }: VideoTagRow): string => sortable(place);

const videoTags: Table<VideoTagRow> = {
  name: 'video_tags',
  codec: VideoTagRow,
  key: tagRowKey,
  columns: { ...fields('video_id'), place: tagPlace },
  indexes: [['video_id', 'place']],
};

const audios: Table<AudioRow> = {
  name: 'audios',
  codec: AudioRow,
  key: ({ record }) => record.audio_id,
  columns: { ...recordColumns, video_id: ({ record }) => record.video_id },
  indexes: recordIndexes,
};

const matchRuns: Table<MatchRunRow> = {
  name: 'match_runs',
  codec: MatchRunRow,
  key: ({ view }) => view.run_id,
  columns: {
    video_id: ({ view }) => view.video_id,
    started: ({ started }) => (started === null ? null : sortable(started)),
    /** Queue time of an open run. */
    open_since: ({ view }) => (view.outcome === null && view.superseded_by === null ? (view.queued_at ?? '') : null),
    ended_as: ({ view }) => view.outcome ?? (view.superseded_by === null ? null : 'superseded'),
  },
  indexes: [['video_id', 'started'], ['open_since'], ['ended_as']],
};

const lateArrivals: Table<LateArrivalRow> = {
  name: 'late_arrivals',
  codec: LateArrivalRow,
  key: ({ position }) => position,
  columns: fields('run_id'),
  indexes: [['run_id']],
};

const lateWrites: Table<LateWriteView> = {
  name: 'late_writes',
  codec: LateWriteView,
  key: ({ position }) => position,
  columns: {
    ...fields('video_id'),
    effective_run_id: ({ run_id, changes, reverted_at }) =>
      changes.length > 0 && reverted_at === null ? run_id : null,
  },
  indexes: [['effective_run_id'], ['video_id']],
};

const accounts = foundByKey<AccountView>('accounts', AccountView, ({ account_id }) => account_id);

const apiKeys: Table<ApiKeyView> = {
  name: 'api_keys',
  codec: ApiKeyView,
  key: ({ key_id }) => key_id,
  columns: {
    ...fields('account_id', 'key_hash'),
    /** Account of an admin key that is not revoked and never expires. */
    admin_of: ({ admin, revoked_at, expires_at, account_id }) =>
      admin && revoked_at === null && expires_at === null ? account_id : null,
  },
  indexes: [['account_id'], ['key_hash'], ['admin_of']],
};

const ledger: Table<LedgerEntry> = {
  name: 'ledger',
  codec: LedgerEntry,
  key: ({ entry_id }) => entry_id,
  columns: {
    ...fields('account_id', 'at', 'category', 'key_id'),
    /** In millionths; null for other entries. */
    charged: ({ kind, amount }) => (kind === 'charge' ? String(0n - creditsOf(amount)) : null),
  },
  indexes: [['account_id', 'at']],
};

const usage: Table<UsageRow> = {
  name: 'usage',
  codec: UsageRow,
  key: ({ account_id, hour, category, key_id }) => [account_id, hour, category, key_id].join(' '),
  columns: {
    ...fields('account_id', 'hour', 'category', 'key_id'),
    charges: ({ charges }) => String(charges),
    /** In millionths. */
    charged: ({ amount }) => String(creditsOf(amount)),
  },
  indexes: [['account_id', 'hour']],
};

const questionsIn = (name: string): Table<ReviewQuestion> => ({
  name,
  codec: ReviewQuestion,
  key: questionKey,
  columns: { ...fields('owner_id', 'video_id', 'audio_id', 'kind'), place: questionPlace },
  indexes: [['owner_id', 'place'], ['video_id', 'place'], ['audio_id']],
});

const sessionKeys = foundByKey<SessionKeyRow>('session_keys', SessionKeyRow, ({ session_id }) => session_id);

const reviewQuestions = questionsIn('review_questions');
const nameQuestions = questionsIn('name_questions');

/** Type function from a table's row type to `made`. Extend this interface to define one. */
export interface TableMapping {
  readonly row: unknown;
  readonly made: unknown;
}
type Made<Kind extends TableMapping, Row> = (Kind & { readonly row: Row })['made'];

/** Applies a function to every table. */
export const mapTables = <Kind extends TableMapping>(make: <Row>(table: Table<Row>) => Made<Kind, Row>) => ({
  videos: make(videos),
  videoTags: make(videoTags),
  audios: make(audios),
  matchRuns: make(matchRuns),
  lateArrivals: make(lateArrivals),
  lateWrites: make(lateWrites),
  accounts: make(accounts),
  apiKeys: make(apiKeys),
  ledger: make(ledger),
  usage: make(usage),
  reviewQuestions: make(reviewQuestions),
  nameQuestions: make(nameQuestions),
  sessionKeys: make(sessionKeys),
});

interface Itself extends TableMapping {
  readonly made: Table<this['row']>;
}

/** All tables of the read models. */
export const tables = mapTables<Itself>((table) => table);

export type Tables = typeof tables;
export type RowOf<Of> = Of extends Table<infer Row> ? Row : never;

/** Access to the rows of all tables. */
export type Rows = { readonly [Name in keyof Tables]: TableRows<RowOf<Tables[Name]>> };

/** Turns events into rows. The result depends only on the event and the existing rows. */
export interface Projection {
  readonly name: string;
  /** Raise it with every change of the resulting rows: they are then rebuilt. */
  readonly version: number;
  /** Categories of the streams that it reads. */
  readonly categories: ReadonlyArray<string>;
  /** The tables that only this projection writes. */
  readonly tables: ReadonlyArray<keyof Rows>;
  readonly project: (rows: Rows, recorded: RecordedEvent<DomainEvent>) => void;
}

/** An in-memory table that can also list all rows. */
export interface MemoryTable<Row> extends TableRows<Row> {
  /** All rows in insertion order. */
  readonly all: () => ReadonlyArray<Row>;
}

const inMemory = <Row>(table: Table<Row>): MemoryTable<Row> => {
  const rows = new Map<string, Row>();
  return {
    get: (key) => rows.get(key),
    put: (row) => void rows.set(table.key(row), row),
    delete: (key) => void rows.delete(key),
    all: () => [...rows.values()],
    where: (column, value) => [...rows.values()].filter((row) => table.columns[column]?.(row) === value),
  };
};

interface InMemory extends TableMapping {
  readonly made: MemoryTable<this['row']>;
}

/** Creates empty in-memory tables. */
export const memoryRows = () => mapTables<InMemory>(inMemory);
