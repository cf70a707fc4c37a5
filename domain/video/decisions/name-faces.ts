import { nothing, record, refuse } from '../../kernel/decider.js';
import { firstRepeated } from '../../kernel/first-repeated.js';
import { type GivenName, isRealName } from '../../kernel/names.js';
import type { FollowSpeakerNames, RenameFaces, UnmatchFace, WithdrawSpeaker } from '../contract.js';
import type { VideoDecision } from '../refusals.js';
import type { VideoEvent } from '../events.js';
import { faceChange } from '../face.js';
import { datedLast } from '../faces.js';
import { speakersName } from '../link-faces.js';
import type { Face, RegisteredVideo } from '../state.js';

const renamedFace = ({ face_id, name: previous_name, named_by: before }: Face, { name, named_by }: GivenName) => ({
  face_id,
  name,
  previous_name,
  named_by: { before, after: named_by },
});

/** PUT /v1/videos/{video_id}/faces/names. A face that is called so already is now called so by a person. */
export const renameFaces = (state: RegisteredVideo, { faces, at }: RenameFaces): VideoDecision<'RenameFaces'> => {
  const unknown = faces.find(({ face_id }) => !state.faces.has(face_id));
  if (unknown !== undefined) return refuse({ _tag: 'InvalidFace', face_id: unknown.face_id });
  const repeated = firstRepeated(faces.map(({ face_id }) => face_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateFace', face_id: repeated });
  const renamed = faces.flatMap(({ face_id, name }) => {
    const face = state.faces.get(face_id);
    return face === undefined || (face.name === name && face.named_by === 'person')
      ? []
      : [renamedFace(face, { name, named_by: 'person' })];
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

/** A face that is called so already, and that its speaker's name is claimed for, is now called so by a person. */
const isNewName = (face: Face, speaker: FollowSpeakerNames['speakers'][number]): boolean =>
  face.name === speaker.name ? face.named_by !== 'person' && speaker.named_by === 'person' : !speaker.claimed;

/** The later change stands: a face that was named after its speaker was renamed is left alone. */
export const followSpeakerNames = (
  state: RegisteredVideo,
  command: FollowSpeakerNames,
): VideoDecision<'FollowSpeakerNames'> => {
  const { audio_id, audio_revision, speakers, at } = command;
  if (state.audio_id !== audio_id) return nothing;
  const given = new Map(speakers.map((speaker) => [speaker.speaker_id, speaker]));
  const faces = [...state.faces.values()].flatMap((face) => {
    const speaker = face.speaker_id === null ? undefined : given.get(face.speaker_id);
    return speaker === undefined || !isNewName(face, speaker) || stands(face, command)
      ? []
      : [renamedFace(face, speaker)];
  });
  const cause = { kind: 'speaker_renamed' as const, audio_id, audio_revision };
  return faces.length === 0 ? nothing : record<VideoEvent>({ type: 'FacesRenamed', data: { faces, cause, at } });
};

/** A face that is handed on is called as its new speaker, unless it has a real name of its own. */
const heirsName = (face: Face, { name, merged_into }: WithdrawSpeaker): GivenName | null =>
  merged_into !== null &&
  isRealName(merged_into.name, merged_into.named_by) &&
  (face.name === name || face.name_origin !== 'own' || !isRealName(face.name, face.named_by))
    ? speakersName(merged_into, merged_into.name)
    : null;

/**
 * A speaker that is gone leaves its face, which loses accuracy and personality data with it; a merged one hands it on,
 * unless the other speaker has a face already.
 */
export const withdrawSpeaker = (state: RegisteredVideo, command: WithdrawSpeaker): VideoDecision<'WithdrawSpeaker'> => {
  const { speaker_id, merged_into, at } = command;
  const faces = [...state.faces.values()];
  const hasFace = faces.some((face) => face.speaker_id === merged_into?.speaker_id);
  const heir = hasFace ? null : (merged_into?.speaker_id ?? null);
  const changes = faces
    .filter((face) => face.speaker_id === speaker_id)
    .map((face) => {
      if (heir === null)
        return faceChange(face, { ...face, speaker_id: null, accuracy: null, personality_traits: null });
      const { name, named_by } = heirsName(face, command) ?? face;
      return faceChange(face, { ...face, speaker_id: heir, name }, named_by);
    });
  return changes.length === 0 && !state.ruled_out.has(speaker_id)
    ? nothing
    : record<VideoEvent>({
        type: 'SpeakerWithdrawn',
        data: { speaker_id, merged_into: merged_into?.speaker_id ?? null, changes, at },
      });
};

/** DELETE of a face's match: the name stays. */
export const unmatchFace = (state: RegisteredVideo, { face_id, at }: UnmatchFace): VideoDecision<'UnmatchFace'> => {
  if (state.status !== 'completed') return refuse({ _tag: 'VideoUnprocessed', status: state.status });
  const face = [...state.faces.values()].find((one) => one.face_id === face_id);
  if (face === undefined) return refuse({ _tag: 'InvalidFace', face_id });
  if (face.speaker_id === null) return nothing;
  const change = faceChange(face, { ...face, speaker_id: null, accuracy: null, personality_traits: null });
  return record<VideoEvent>({
    type: 'FaceUnmatched',
    data: { changes: [change], at: datedLast(at, state.faces, null) },
  });
};
