import { useState } from 'preact/hooks';
import {
  ApiError,
  type HistoryEvent,
  type MediaAnalysis,
  type RevertBody,
  type RevertedChange,
} from '../../client/index.js';
import { date, messageOf, withoutZeros } from '../format.js';
import { useQuery } from '../hooks.js';
import { fieldOf, isFields, listOf, type Fields } from '../json.js';
import { useClient } from '../session.js';
import { Action, Loaded, Notice } from '../ui.js';
import { type RecordKind, type Recording, useRecording } from './use-records.js';

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
};

const changedFields = ({ face_id, before, after }: Fields): ReadonlyArray<string> => {
  if (!isFields(before) || !isFields(after)) return [];
  const fields = ['name', 'speaker_id', 'accuracy'].filter((field) => before[field] !== after[field]);
  const parts = fields.map((field) => `${field.replace('_id', '')} ${shown(before[field])} → ${shown(after[field])}`);
  return parts.length === 0 ? [] : [`face ${shown(face_id)}: ${parts.join(', ')}`];
};

const subjectOf = (one: Fields): string =>
  'face_id' in one ? `face ${shown(one['face_id'])}` : `speaker ${shown(one['speaker_id'])}`;

const named = (one: Fields): ReadonlyArray<string> =>
  'previous_name' in one ? [`${subjectOf(one)}: ${shown(one['previous_name'])} → ${shown(one['name'])}`] : [];

const given = (one: Fields): ReadonlyArray<string> =>
  'role' in one && !isFields(one['role']) && one['role'] !== null
    ? [`${subjectOf(one)}: role ${shown(one['role'])}`]
    : [];

/** Changed texts of the record, such as its title. */
const edited = (data: Fields): ReadonlyArray<string> =>
  ['title', 'media_url'].flatMap((field) => {
    const edit = data[field];
    if (!isFields(edit) || !('before' in edit)) return [];
    return [`${field.replace('_url', '')}: ${shown(edit['before'])} → ${shown(edit['after'])}`];
  });

/** What a revert restored for a speaker. */
const restored = (one: Fields): ReadonlyArray<string> =>
  ['name', 'role'].flatMap((field) => {
    const change = one[field];
    if (!isFields(change)) return [];
    const [before, after] = [change['before'], change['after']].map((side) => (isFields(side) ? side[field] : side));
    return [`${subjectOf(one)}: ${field} ${shown(before)} → ${shown(after)}`];
  });

const seconds = (value: unknown): string =>
  typeof value === 'number' && value > 0 ? ` (${Math.round(value * 10) / 10} s in common)` : '';

/** How a new analysis numbers faces or speakers differently. */
const renumbered = (data: Fields): ReadonlyArray<string> => {
  const subject = 'faces' in data ? 'face' : 'speaker';
  const gone = Array.isArray(data['discontinued']) ? data['discontinued'] : [];
  return [
    ...listOf(data['renumbered']).map(
      ({ from, to, seconds: shared }) =>
        `${subject} ${shown(to)} is ${subject} ${shown(from)} of the analysis before${seconds(shared)}`,
    ),
    ...gone.map((id) => `${subject} ${shown(id)} of the analysis before is gone`),
  ];
};

/** What a person excluded, or takes back. */
const excluded = ({ speaker_id, face_id, after }: Fields): ReadonlyArray<string> => {
  const what = face_id === null ? 'off screen' : `face ${shown(face_id)}`;
  if (after === true) return [`speaker ${shown(speaker_id)}: is ${face_id === null ? '' : 'not '}${what}`];
  return [`speaker ${shown(speaker_id)}: no longer ${face_id === null ? '' : 'not '}${what}`];
};

const maxLines = 6;

/** Names of events that would not be understood otherwise. */
const titles: Readonly<Record<string, string>> = {
  LinksDecided: 'Decision about who is who',
  FacesMatched: 'Faces and speakers matched',
  FaceUnmatched: 'Match removed',
  MatchRunQueued: 'Suggestions or matches asked for',
  SuggestionsStored: 'New suggestions',
  MatchesCommitted: 'Matches of a run written',
  VideoChangeReverted: 'Change undone',
  AudioChangeReverted: 'Change undone',
  NamesInferred: 'Inferred names written',
  MatchRunReverted: 'Matches of a run undone',
  SpeakersRenumbered: 'Speakers renumbered by a newer analysis',
};

/** `SpeakersRenamed` → `Speakers renamed` */
const titleOf = ({ type }: Pick<HistoryEvent, 'type'>): string =>
  titles[type] ?? type.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The changes of faces, speakers, tags and texts in an event, one line each: `face 1: …`. */
export const changesIn = ({ data }: Pick<HistoryEvent, 'data'>): ReadonlyArray<string> => {
  if (!isFields(data)) return [];
  const [faces, speakers] = [listOf(data['faces']), listOf(data['speakers'])];
  return [
    ...edited(data),
    ...renumbered(data),
    ...[...listOf(data['changes']), ...faces].flatMap(changedFields),
    ...[...faces, ...speakers, ...listOf(data['renamed'])].flatMap(named),
    ...[...speakers, ...listOf(data['roles'])].flatMap(given),
    ...speakers.flatMap(restored),
    ...listOf(data['ruled_out']).flatMap(excluded),
    ...listOf(data['tags']).map(({ key, value }) => `tag ${String(key)}: ${shown(value)}`),
  ];
};

/** The first lines of the changes. */
const summaryOf = (event: Pick<HistoryEvent, 'data'>): ReadonlyArray<string> => {
  const all = changesIn(event);
  return all.length > maxLines ? [...all.slice(0, maxLines), `and ${all.length - maxLines} more`] : all;
};

const notRevertible =
  /^SpeakersRenumbered$|^(?:Video|Audio)(?:Registered|AnalysisRecorded|Associated|Dissociated)$|Queued$|^SuggestionsStored$|Failed$|^Speaker(?:Withdrawn|Deleted)$|Traits|Transcript/;

/** Whether events of this type can be undone. Whether there is still something to undo is for the service to say. */
const isRevertible = ({ type }: Pick<HistoryEvent, 'type'>): boolean => !notRevertible.test(type);

const fieldsText = (list: RevertedChange['reverted']): string =>
  list
    .map(({ record, id, fields }) => `${record} ${id} (${fields.map((one) => one.replace('_id', '')).join(', ')})`)
    .join('; ');

/** What an undo did not restore, in words; empty if it restored everything. */
export const changedSince = ({ changed_since }: RevertedChange): string =>
  changed_since.length === 0 ? '' : `Not undone, because it was changed again since: ${fieldsText(changed_since)}.`;

const previewOf = (change: RevertedChange): string =>
  `Undoing this would restore ${change.reverted.length === 0 ? 'nothing' : fieldsText(change.reverted)}. ${changedSince(change)}`;

/** An event of the video or the audio of a recording. */
export interface RecordEvent {
  readonly event: HistoryEvent;
  readonly of: RecordKind;
  readonly id: string;
}

const recordsOf = (client: MediaAnalysis, of: RecordKind) => (of === 'video' ? client.videos : client.audios);

/** All events of a record, oldest first. */
export async function* eventsOf(
  client: MediaAnalysis,
  of: RecordKind,
  id: string,
  signal?: AbortSignal,
): AsyncGenerator<RecordEvent> {
  const events = recordsOf(client, of).history(id, {}, signal === undefined ? {} : { signal });
  for await (const event of events) yield { event, of, id };
}

/** The records of a recording. */
type Ids = ReadonlyArray<readonly [of: RecordKind, id: string]>;

export const idsOf = ({ video, audio }: Pick<Recording, 'video' | 'audio'>): Ids => [
  ...(video === null ? [] : [['video', video.video_id] as const]),
  ...(audio === null ? [] : [['audio', audio.audio_id] as const]),
];

const byPosition = (one: RecordEvent, other: RecordEvent): number =>
  one.event.position < other.event.position ? 1 : -1;

/** The newest events of a recording, newest first. */
const newestOf = async (
  client: MediaAnalysis,
  ids: Ids,
  max: number,
  signal?: AbortSignal,
): Promise<ReadonlyArray<RecordEvent>> => {
  const read = async ([of, id]: Ids[number]): Promise<ReadonlyArray<RecordEvent>> => {
    const newest: RecordEvent[] = [];
    for await (const recordEvent of eventsOf(client, of, id, signal)) {
      newest.push(recordEvent);
      if (newest.length > max) newest.shift();
    }
    return newest;
  };
  return (await Promise.all(ids.map(read))).flat().toSorted(byPosition).slice(0, max);
};

const revert = (client: MediaAnalysis, { event: { position }, of, id }: RecordEvent, body: RevertBody = {}) =>
  recordsOf(client, of).revert(id, position, body);

const isRevert = ({ event: { type } }: RecordEvent): boolean => type.endsWith('ChangeReverted');

/** How many events are searched for one's own last change. */
const maxSearched = 1_000;

/** Undoes the last change that was made with a key and not undone since; null if there is none. */
export const undoLast = async (client: MediaAnalysis, ids: Ids, key_id: string): Promise<RevertedChange | null> => {
  const events = await newestOf(client, ids, maxSearched);
  const undone = new Set(
    events.filter(isRevert).map(({ event: { data } }) => withoutZeros(String(fieldOf(data, 'position')))),
  );
  // The events of one request are one change, whichever of them was named.
  const requests = new Set(
    events.filter(({ event }) => undone.has(withoutZeros(event.position))).map(({ event }) => event.request_id),
  );
  const last = events.find(
    (one) =>
      one.event.actor?.key_id === key_id &&
      isRevertible(one.event) &&
      !isRevert(one) &&
      !requests.has(one.event.request_id),
  );
  return last === undefined ? null : revert(client, last);
};

/** Time, author and changes of an event. */
export const EventSummary = ({ recordEvent: { event, of } }: { readonly recordEvent: RecordEvent }) => (
  <div>
    <strong>{titleOf(event)}</strong>{' '}
    <span class="quiet">
      {of}, {date(event.at)} by {event.actor?.account_id ?? 'the service'}
    </span>
    {summaryOf(event).map((line) => (
      <div key={line}>{line}</div>
    ))}
  </div>
);

const Entry = ({ recordEvent }: { readonly recordEvent: RecordEvent }) => {
  const client = useClient();
  const { refresh } = useRecording();
  const { event } = recordEvent;
  const [preview, setPreview] = useState<string | null>(null);
  const title = titleOf(event);
  const look = async (): Promise<void> => {
    try {
      setPreview(previewOf(await revert(client, recordEvent, { dry_run: true })));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setPreview(messageOf(error));
    }
  };
  const isLate = fieldOf(event.data, 'late_write_suspected') === true;
  return (
    <li>
      <div>
        <EventSummary recordEvent={recordEvent} />
        {isLate && <Notice tone="wait">This result may belong to an older run. Check what it changed.</Notice>}
      </div>
      {isRevertible(event) && (
        <div class="actions">
          <Action text="Preview undo" kind="small" label={`Preview undo ${title}`} run={look} />
          <Action
            text="Undo"
            kind="small"
            label={`Undo ${title}`}
            run={async () => {
              const left = changedSince(await revert(client, recordEvent));
              setPreview(left === '' ? null : left);
              await refresh();
            }}
          />
        </div>
      )}
      {preview !== null && <Notice tone="wait">{preview}</Notice>}
    </li>
  );
};

const maxShown = 30;

/** The newest changes of a recording, newest first, with buttons to preview an undo and to undo. */
export const History = () => {
  const client = useClient();
  const { video, audio, version } = useRecording();
  const query = useQuery((signal) => newestOf(client, idsOf({ video, audio }), maxShown, signal), [version]);
  return (
    <Loaded query={query}>
      {(recordEvents) => (
        <ol class="history">
          {recordEvents.map((recordEvent) => (
            <Entry key={recordEvent.event.event_id} recordEvent={recordEvent} />
          ))}
        </ol>
      )}
    </Loaded>
  );
};
