import type { HistoryEvent } from '../../client/index.js';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
};

const changedFields = ({ face_id, before, after }: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  if (!isRecord(before) || !isRecord(after)) return [];
  const fields = ['name', 'speaker_id', 'accuracy'].filter((field) => before[field] !== after[field]);
  const told = fields.map((field) => `${field.replace('_id', '')} ${shown(before[field])} → ${shown(after[field])}`);
  return told.length === 0 ? [] : [`face ${shown(face_id)}: ${told.join(', ')}`];
};

const most = 6;

/** `SpeakersRenamed` → `Speakers renamed` */
export const titleOf = ({ type }: Pick<HistoryEvent, 'type'>): string =>
  type.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What an event changed, value by value, as far as it is about faces and names. */
export const explained = ({ data }: Pick<HistoryEvent, 'data'>): ReadonlyArray<string> => {
  if (!isRecord(data)) return [];
  const renamed = [...listOf(data['faces']), ...listOf(data['speakers'])].flatMap((one) =>
    'previous_name' in one
      ? [
          `${'face_id' in one ? 'face' : 'speaker'} ${shown(one['face_id'] ?? one['speaker_id'])}: ${shown(one['previous_name'])} → ${shown(one['name'])}`,
        ]
      : [],
  );
  const tags = listOf(data['tags']).map(({ key, value }) => `tag ${String(key)}: ${shown(value)}`);
  const all = [...listOf(data['changes']).flatMap(changedFields), ...renamed, ...tags];
  return all.length > most ? [...all.slice(0, most), `and ${all.length - most} more`] : all;
};

const lasting =
  /^(?:Video|Audio)(?:Registered|AnalysisRecorded|Associated|Dissociated)$|Queued$|^SuggestionsStored$|Failed$|^Speaker(?:Withdrawn|Deleted)$|Traits|Transcript/;

/** Whether undoing such an event is possible at all; whether anything of it is left to undo, the service knows. */
export const isRevertible = ({ type }: Pick<HistoryEvent, 'type'>): boolean => !lasting.test(type);
