import { type RecordFields, fieldsOf } from '../../../domain/kernel/edit.js';
import type { AudioChanges } from '../../../domain/audio/changes.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import { type VideoEdits, changeOfEdit, faceFields, isEdited } from '../../../domain/video/changes.js';
import type { VideoEvent } from '../../../domain/video/events.js';

/** The fields that a revert restored, and those that it left alone. */
export interface Reverted {
  readonly reverted: ReadonlyArray<RecordFields>;
  readonly changed_since: ReadonlyArray<RecordFields>;
}

const present = (fields: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([field, edit]) => (edit === null ? [] : [field]));

const ofVideo = (id: string, { faces, ruled_out, tags, title, media_url }: VideoEdits): ReadonlyArray<RecordFields> => [
  ...faces.map(changeOfEdit).flatMap((face) =>
    fieldsOf(
      'face',
      face.face_id,
      faceFields.filter((field) => isEdited(face, field)),
    ),
  ),
  // Each speaker once, even if several pairs with it were decided.
  ...[...new Set(ruled_out.map(({ speaker_id }) => speaker_id))].flatMap((speaker_id) =>
    fieldsOf('speaker', speaker_id, ['decision']),
  ),
  ...tags.flatMap(({ key }) => fieldsOf('tag', key, ['value'])),
  ...fieldsOf('video', id, present({ title, media_url })),
];

const ofAudio = (id: string, { speakers, title }: AudioChanges): ReadonlyArray<RecordFields> => [
  ...speakers.flatMap(({ speaker_id, ...edits }) => fieldsOf('speaker', speaker_id, present(edits))),
  ...fieldsOf('audio', id, present({ title })),
];

/** The result of a revert, from its event: fields of this record and of the linked one. */
export const revertedBy = ([event]: ReadonlyArray<VideoEvent | AudioEvent>, id: string): Reverted => {
  if (event?.type === 'VideoChangeReverted') {
    const { audio, changed_since } = event.data;
    const there = audio === null ? [] : ofAudio(audio.audio_id, audio.changes);
    return { reverted: [...ofVideo(id, event.data), ...there], changed_since };
  }
  if (event?.type === 'AudioChangeReverted') {
    const { video, changed_since } = event.data;
    const there = video === null ? [] : ofVideo(video.video_id, video.changes);
    return { reverted: [...ofAudio(id, event.data), ...there], changed_since };
  }
  return { reverted: [], changed_since: [] };
};
