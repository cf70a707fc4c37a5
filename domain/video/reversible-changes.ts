import { mergeByKey, mergeEdits, mergeIfAny, sameJson } from '../kernel/edit.js';
import type { RunId } from '../kernel/ids.js';
import {
  type VideoChanges,
  type VideoEdits,
  type FaceChange,
  type FaceField,
  changeOfEdit,
  isEdited,
  mergeChanges,
  only,
} from './changes.js';
import type { VideoData, VideoEvent } from './events.js';

const none: VideoEdits = { faces: [], ruled_out: [], tags: [], title: null, media_url: null };

const renamings = ({ faces }: VideoData<'FacesRenamed'>): VideoEdits['faces'] =>
  faces.map(({ face_id, name, previous_name, named_by }) => ({
    face_id,
    before: { name: previous_name },
    after: { name },
    named_by,
  }));

/** What an event edited that an undo can put back. */
export const editsIn = (event: VideoEvent): VideoEdits => {
  switch (event.type) {
    case 'FacesRenamed':
      return { ...none, faces: renamings(event.data) };
    case 'FacesMatched':
    case 'FaceUnmatched':
    case 'SpeakerWithdrawn':
    case 'MatchRunReverted':
      return { ...none, faces: event.data.changes };
    case 'LinksDecided':
      return { ...none, faces: event.data.changes, ruled_out: event.data.ruled_out };
    case 'MatchesCommitted':
      return { ...none, faces: mergeChanges(event.data.replaced, event.data.changes) };
    case 'MatchRunFailed':
      return { ...none, faces: event.data.replaced };
    case 'TagsWritten': {
      const { tags, source } = event.data;
      return {
        ...none,
        tags: tags.map(({ key, category, value, previous }) => ({
          key,
          before: previous,
          after: { value, category, source },
        })),
      };
    }
    case 'TagRemoved':
      return { ...none, tags: [{ key: event.data.key, before: event.data.previous, after: null }] };
    case 'VideoDetailsChanged':
      return { ...none, title: event.data.title, media_url: event.data.media_url };
    case 'VideoChangeReverted':
      return event.data;
    default:
      return none;
  }
};

const irreversible = {
  VideoRegistered: 'registration',
  AudioAssociated: 'link',
  AudioDissociated: 'link',
  VideoAnalysisRecorded: 'analysis',
  SpeakersRenumbered: 'analysis',
  PersonalityTraitsRecorded: 'personality_data',
  MatchRunQueued: 'trigger',
  SuggestionsStored: 'suggestions',
} as const satisfies Partial<Record<VideoEvent['type'], string>>;

/** Why a change of a video cannot be undone. `trigger` and `suggestions` apply only if nothing else was changed. */
export type IrreversibleVideoChange = (typeof irreversible)[keyof typeof irreversible] | 'failed_run';

/** The reason why an event cannot be undone; null if it can. */
export const irreversibleVideoChange = (event: VideoEvent): IrreversibleVideoChange | null => {
  const reasons: Partial<Record<VideoEvent['type'], IrreversibleVideoChange>> = irreversible;
  if (event.type === 'MatchRunFailed') return event.data.replaced.length === 0 ? 'failed_run' : null;
  return reasons[event.type] ?? null;
};

/** The run whose write-back is among these events; null if there is none. */
export const runOf = (events: ReadonlyArray<VideoEvent>): RunId | null =>
  events.flatMap((event) => (event.type === 'MatchesCommitted' ? [event.data.run_id] : [])).at(-1) ?? null;

/** Combines two changes of a face field by field, since renaming events contain no other fields. */
const mergeFace = (first: FaceChange, second: FaceChange): FaceChange => {
  const continues = (field: FaceField): boolean =>
    sameJson(first.after[field], second.before[field]) &&
    (field !== 'name' || first.named_by?.after === second.named_by?.before);
  const isEditedAgain = (field: FaceField): boolean => isEdited(second, field);
  const isNew = (field: FaceField): boolean => isEditedAgain(field) && !continues(field);
  return {
    face_id: first.face_id,
    before: { ...first.before, ...only(second.before, isNew) },
    after: { ...first.after, ...only(second.after, isEditedAgain) },
    named_by: isNew('name') ? second.named_by : mergeIfAny(first.named_by, second.named_by),
  };
};

/** The combined reversible changes of the events of one change, given in order. */
export const videoChangesOf = (events: ReadonlyArray<VideoEvent>): VideoChanges => {
  const all = events.map(editsIn);
  const ruled_out = all.flatMap((one) => one.ruled_out);
  return {
    faces: mergeByKey(
      all.flatMap(({ faces }) => faces.map(changeOfEdit)),
      ({ face_id }) => face_id,
      mergeFace,
    ),
    ruled_out: mergeByKey(ruled_out, ({ speaker_id, face_id }) => `${speaker_id}/${face_id}`, mergeEdits),
    tags: mergeByKey(
      all.flatMap(({ tags }) => tags),
      ({ key }) => key,
      mergeEdits,
    ),
    title: all.map(({ title }) => title).reduce(mergeIfAny, null),
    media_url: all.map(({ media_url }) => media_url).reduce(mergeIfAny, null),
  };
};
