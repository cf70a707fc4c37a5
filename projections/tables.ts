import * as t from 'io-ts';
import { nullable } from '../domain/kernel/event-codecs.js';
import { FaceId, RunId } from '../domain/kernel/ids.js';
import type { Table, TableRows } from './table.js';
import { AccountView, ApiKeyView, AudioView, LateArrival, LateWriteView, MatchRunView, VideoView } from './views.js';

/** `created`: the position of the event that made the row, for lists by age. */
const VideoRow = t.type({ created: t.string, view: VideoView }, 'VideoRow');
export type VideoRow = t.TypeOf<typeof VideoRow>;

const AudioRow = t.type({ created: t.string, view: AudioView }, 'AudioRow');
export type AudioRow = t.TypeOf<typeof AudioRow>;

const ApiKeyRow = t.type({ created: t.string, view: ApiKeyView }, 'ApiKeyRow');
export type ApiKeyRow = t.TypeOf<typeof ApiKeyRow>;

/**
 * A run is told of the events of its video in any order; `video_revision` says which is the newer of two.
 * The late arrivals of the view are rows of their own and empty here.
 */
const MatchRunRow = t.type(
  {
    view: MatchRunView,
    started: nullable(t.number),
    answered: nullable(t.number),
    undone: nullable(t.number),
    /** For each face that the run changed or that was put back, whichever was last. */
    faces: t.readonlyArray(t.type({ face_id: FaceId, video_revision: t.number, changed: t.boolean })),
  },
  'MatchRunRow',
);
export type MatchRunRow = t.TypeOf<typeof MatchRunRow>;

const LateArrivalRow = t.type({ position: t.string, run_id: RunId, arrival: LateArrival }, 'LateArrivalRow');
export type LateArrivalRow = t.TypeOf<typeof LateArrivalRow>;

const digits = 16;

/** A number as a text that sorts as the number does. */
const sortable = (number: number): string => String(number).padStart(digits, '0');

const videos: Table<VideoRow> = {
  name: 'videos',
  codec: VideoRow,
  key: ({ view }) => view.record.video_id,
  columns: { owner_id: ({ view }) => view.record.owner_id, created: ({ created }) => created },
  indexes: [['owner_id', 'created'], ['created']],
};

const audios: Table<AudioRow> = {
  name: 'audios',
  codec: AudioRow,
  key: ({ view }) => view.record.audio_id,
  columns: { owner_id: ({ view }) => view.record.owner_id, created: ({ created }) => created },
  indexes: [['owner_id', 'created'], ['created']],
};

const matchRuns: Table<MatchRunRow> = {
  name: 'match_runs',
  codec: MatchRunRow,
  key: ({ view }) => view.run_id,
  columns: {
    video_id: ({ view }) => view.video_id,
    started: ({ started }) => (started === null ? null : sortable(started)),
  },
  indexes: [['video_id', 'started']],
};

const lateArrivals: Table<LateArrivalRow> = {
  name: 'late_arrivals',
  codec: LateArrivalRow,
  key: ({ position }) => position,
  columns: { run_id: ({ run_id }) => run_id },
  indexes: [['run_id', 'key']],
};

const lateWrites: Table<LateWriteView> = {
  name: 'late_writes',
  codec: LateWriteView,
  key: ({ position }) => position,
  columns: {
    /** The run whose revert takes this back. */
    standing_run_id: ({ run_id, changes, reverted_at }) => (changes.length > 0 && reverted_at === null ? run_id : null),
  },
  indexes: [['standing_run_id']],
};

const accounts: Table<AccountView> = {
  name: 'accounts',
  codec: AccountView,
  key: ({ account_id }) => account_id,
  columns: {},
  indexes: [],
};

const apiKeys: Table<ApiKeyRow> = {
  name: 'api_keys',
  codec: ApiKeyRow,
  key: ({ view }) => view.key_id,
  columns: {
    account_id: ({ view }) => view.account_id,
    created: ({ created }) => created,
    key_hash: ({ view }) => view.key_hash,
    good_admin: ({ view }) => (view.admin && view.revoked_at === null ? view.account_id : null),
  },
  indexes: [['account_id', 'created'], ['key_hash'], ['good_admin']],
};

/** All tables of the read models. */
export const tables = { videos, audios, matchRuns, lateArrivals, lateWrites, accounts, apiKeys } as const;

/** The rows of all tables. */
export interface Rows {
  readonly videos: TableRows<VideoRow>;
  readonly audios: TableRows<AudioRow>;
  readonly matchRuns: TableRows<MatchRunRow>;
  readonly lateArrivals: TableRows<LateArrivalRow>;
  readonly lateWrites: TableRows<LateWriteView>;
  readonly accounts: TableRows<AccountView>;
  readonly apiKeys: TableRows<ApiKeyRow>;
}
