import type { HistoryEvent } from '../../client/index.js';
import { type Fields, isFields, listOf } from '../json.js';

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
export const titleOf = ({ type }: Pick<HistoryEvent, 'type'>): string =>
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
export const summaryOf = (event: Pick<HistoryEvent, 'data'>): ReadonlyArray<string> => {
  const all = changesIn(event);
  return all.length > maxLines ? [...all.slice(0, maxLines), `and ${all.length - maxLines} more`] : all;
};

const notRevertible =
  /^SpeakersRenumbered$|^(?:Video|Audio)(?:Registered|AnalysisRecorded|Associated|Dissociated)$|Queued$|^SuggestionsStored$|Failed$|^Speaker(?:Withdrawn|Deleted)$|Traits|Transcript/;

/** Whether events of this type can be undone. Whether there is still something to undo is for the service to say. */
export const isRevertible = ({ type }: Pick<HistoryEvent, 'type'>): boolean => !notRevertible.test(type);
