import { ProcessingStatus } from '../../domain/kernel/media.js';
import { runStates } from '../../projections/run-status.js';
import { usageFields } from '../../projections/usage.js';

/** A parameter of a query: what it is called, what it says, and the JSON Schema of its value. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = (name: string, description: string, more: Parameter['schema'] = {}): Parameter => ({
  name,
  description,
  schema: { type: 'string', ...more },
});

const time = (name: string, description: string): Parameter => text(name, description, { format: 'date-time' });

const choice = (name: string, description: string, values: ReadonlyArray<string>): Parameter =>
  text(name, description, { enum: values });

const flagged = (name: string, description: string): Parameter => ({ name, description, schema: { type: 'boolean' } });

const limit = (usual: number | null): Parameter => ({
  name: 'limit',
  description: `How many items a page holds at most${usual === null ? '; without it the list comes whole, unless it is large' : ''}.`,
  schema: { type: 'integer', minimum: 1, maximum: 1_000, ...(usual === null ? {} : { default: usual }) },
});

const cursor = text('cursor', 'Where the page begins: the `next_cursor` of the page before, with the same filters.');

/** What every list knows. */
export const pageParameters: ReadonlyArray<Parameter> = [limit(100), cursor];
/** What a list of events of a record knows. */
export const historyParameters: ReadonlyArray<Parameter> = [limit(1_000), cursor];
/** What a list knows that comes whole unless it is large. */
export const wholePageParameters: ReadonlyArray<Parameter> = [limit(null), cursor];

const seconds = (name: string, description: string): Parameter => ({
  name,
  description,
  schema: { type: 'number', minimum: 0 },
});

/** The parameters of the evidence of faces or speakers. */
export const evidenceParameters = (subjectName: 'face_id' | 'speaker_id'): ReadonlyArray<Parameter> => [
  {
    name: subjectName,
    description: `Only what is about this ${subjectName === 'face_id' ? 'face' : 'speaker'}.`,
    schema: { type: 'integer', minimum: 0 },
  },
  seconds('from', 'Only what ends after this time, in seconds of the medium.'),
  seconds('to', 'Only what starts before this time, in seconds of the medium.'),
  limit(1_000),
  cursor,
];

const ofBothLists: ReadonlyArray<Parameter> = [
  ...pageParameters,
  choice('status', 'Only records whose processing has this status.', Object.keys(ProcessingStatus.keys)),
  text('title', 'Only records whose title contains this text, whatever its case.'),
  time('created_from', 'Only records created at this time or later.'),
  time('created_to', 'Only records created before this time.'),
  choice('sort', 'What the list is sorted by.', ['created_at', 'updated_at', 'title']),
  choice('order', 'Ascending or descending; without it times descend and titles ascend.', ['asc', 'desc']),
];

/** What the lists of videos and audios know. */
export const videoListParameters: ReadonlyArray<Parameter> = [
  ...ofBothLists,
  text('audio_id', 'Only the video of this audio.'),
  flagged('needs_review', 'Only videos with a suggestion that nobody has decided about, or only those without.'),
  text('tag', 'Only videos with this tag: `key:value`, cut at the first colon.', { pattern: '^[^:]+:' }),
  choice('expand', '`audio` adds the audio record of each video.', ['audio']),
];
export const audioListParameters: ReadonlyArray<Parameter> = [
  ...ofBothLists,
  text('video_id', 'Only the audio of this video.'),
];

export const pointInHistoryParameter = text(
  'at',
  'The record as it stood at this time, or at this revision (digits alone).',
);

export const waitParameter: Parameter = {
  name: 'wait',
  description: 'How many seconds the answer may wait for news.',
  schema: { type: 'number', minimum: 0, maximum: 30, default: 0 },
};

export const runStateParameter = choice('state', 'Only runs in this state.', runStates);

export const runStatusParameter = flagged(
  'speaker_face_match_status',
  'Asks for the status of the newest match run instead of that of the processing.',
);

export const reviewParameters: ReadonlyArray<Parameter> = [
  text('video_id', 'Only questions about this video.'),
  choice('kind', 'Only questions of this kind.', ['link', 'name']),
  ...pageParameters,
];

const rangeParameters: ReadonlyArray<Parameter> = [
  time('from', 'Only what happened at this time or later.'),
  time('to', 'Only what happened before this time.'),
];

export const ledgerParameters: ReadonlyArray<Parameter> = [...rangeParameters, ...pageParameters];

export const usageParameters: ReadonlyArray<Parameter> = [
  ...rangeParameters,
  text('group_by', `One or several of ${usageFields.join(', ')}, with commas; without it there are no groups.`),
];

export const eventParameters: ReadonlyArray<Parameter> = [
  text('stream', 'Only events of this stream, as in `video-7`.'),
  text('category', 'Only events of streams of this category, as in `video`.'),
  text('type', 'Only events of this type, as in `FacesMatched` or `FacesMatched.v1`.'),
  text('actor', 'Only events that this key or account caused.'),
  text('request_id', 'Only events that this request caused.'),
  ...rangeParameters,
  ...pageParameters,
];

/** What a write-back knows that takes documents of providers. */
export const documentParameters: ReadonlyArray<Parameter> = [
  text('format', 'The body is a document of this provider; `auto` finds out of which.'),
  text('recording', 'Which recording of a document that holds several.'),
  flagged('provider_supplied', 'Whether the transcript counts as supplied by a provider.'),
];
