import { nothing, record, refuse } from '../../kernel/decider.js';
import { firstRepeated } from '../../kernel/first-repeated.js';
import type { FollowSpeakerNames, RenameFaces, VideoDecision, WithdrawSpeaker } from '../contract.js';
import type { VideoEvent } from '../events.js';
import { attributesOf } from '../face.js';
import { datedLast } from '../faces.js';
import type { Face, RegisteredVideo } from '../state.js';

/** PUT /v1/videos/{video_id}/faces/names. */
export const renameFaces = (state: RegisteredVideo, { faces, at }: RenameFaces): VideoDecision => {
  const unknown = faces.find(({ face_id }) => !state.faces.has(face_id));
  if (unknown !== undefined) return refuse({ _tag: 'InvalidFace', face_id: unknown.face_id });
  const repeated = firstRepeated(faces.map(({ face_id }) => face_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateFace', face_id: repeated });
  const renamed = faces.flatMap(({ face_id, name }) => {
    const previous_name = state.faces.get(face_id)?.name ?? null;
    return previous_name === name ? [] : [{ face_id, name, previous_name }];
  });
  return renamed.length === 0
    ? nothing
    : record<VideoEvent>({
        type: 'FacesRenamed',
        data: { faces: renamed, cause: { kind: 'request' }, at: datedLast(at, state.faces, null) },
      });
};

/** Of two names of one date the face's stands, on the audio's side too, or else each record would take the other's. */
const stands = ({ named_at, name_origin }: Face, { at, current }: FollowSpeakerNames): boolean =>
  named_at !== null && named_at >= at && !(current && name_origin === 'adopted');

/** The later change stands: a face that was named after its speaker was renamed is left alone. */
export const followSpeakerNames = (state: RegisteredVideo, command: FollowSpeakerNames): VideoDecision => {
  const { audio_id, audio_revision, speakers, at } = command;
  if (state.audio_id !== audio_id) return nothing;
  const names = new Map(speakers.map(({ speaker_id, name }) => [speaker_id, name]));
  const faces = [...state.faces.values()].flatMap((face) => {
    const { face_id, name: previous_name, speaker_id } = face;
    const name = speaker_id === null ? undefined : names.get(speaker_id);
    return name === undefined || name === previous_name || stands(face, command)
      ? []
      : [{ face_id, name, previous_name }];
  });
  const cause = { kind: 'speaker_renamed' as const, audio_id, audio_revision };
  return faces.length === 0 ? nothing : record<VideoEvent>({ type: 'FacesRenamed', data: { faces, cause, at } });
};

/** A deleted speaker leaves its face; a merged one hands it on, unless the other speaker has a face already. */
export const withdrawSpeaker = (
  state: RegisteredVideo,
  { speaker_id, merged_into, at }: WithdrawSpeaker,
): VideoDecision => {
  const faces = [...state.faces.values()];
  const heir = merged_into !== null && faces.every((face) => face.speaker_id !== merged_into) ? merged_into : null;
  const changes = faces
    .filter((face) => face.speaker_id === speaker_id)
    .map((face) => {
      const before = attributesOf(face);
      const accuracy = heir === null ? null : face.accuracy;
      return { face_id: face.face_id, before, after: { ...before, speaker_id: heir, accuracy } };
    });
  return changes.length === 0
    ? nothing
    : record<VideoEvent>({ type: 'SpeakerWithdrawn', data: { speaker_id, merged_into, changes, at } });
};
