import { nothing, record, refuse } from '../../kernel/decider.js';
import { firstDuplicate } from '../../kernel/ids.js';
import { type GivenName, isRealName, renaming } from '../../kernel/names.js';
import { followIds } from '../../kernel/renumbering.js';
import type { FollowSpeakerNames, RenameFaces, UnmatchFace, WithdrawSpeaker, VideoDecision } from '../contract.js';
import type { VideoEvent } from '../events.js';
import { faceChange } from '../changes.js';
import { type Face, type RegisteredVideo, laterThanAllNames, withoutSpeaker } from '../state.js';
import { speakersName } from '../link-faces.js';

const renamedFace = (face: Face, given: GivenName) => ({ face_id: face.face_id, ...renaming(face, given) });

/** PUT /v1/videos/{video_id}/faces/names. A name that the face already has is marked as given by a person. */
export const renameFaces = (state: RegisteredVideo, { faces, at }: RenameFaces): VideoDecision<'RenameFaces'> => {
  const unknown = faces.find(({ face_id }) => !state.faces.has(face_id));
  if (unknown !== undefined) return refuse({ _tag: 'InvalidFace', face_id: unknown.face_id });
  const repeated = firstDuplicate(faces.map(({ face_id }) => face_id));
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
        data: { faces: renamed, cause: { kind: 'request' }, at: laterThanAllNames(at, state.faces, null) },
      });
};

/**
 * Whether the face's name is kept: it is at least as new. For equal dates the face's name wins on both records,
 * otherwise they would exchange names.
 */
const stands = ({ named_at, name_origin }: Face, { at, current }: FollowSpeakerNames): boolean =>
  named_at !== null && named_at >= at && !(current && name_origin === 'adopted');

/**
 * Whether the speaker's name changes the face: another name, unless it was only claimed, or the same name that a person
 * has now confirmed.
 */
const isNewName = (face: Face, speaker: FollowSpeakerNames['speakers'][number]): boolean =>
  face.name === speaker.name ? face.named_by !== 'person' && speaker.named_by === 'person' : !speaker.claimed;

/** Finds the present ids of speakers: the video may have followed later renumberings of the audio already. */
const speakersSince = ({ renumberings }: RegisteredVideo, audio_revision: number) =>
  followIds(renumberings.speakers.filter((renumbering) => renumbering.audio_revision > audio_revision));

/** Passes new names of speakers on to their faces. A face named after the speaker was renamed keeps its name. */
export const followSpeakerNames = (
  state: RegisteredVideo,
  command: FollowSpeakerNames,
): VideoDecision<'FollowSpeakerNames'> => {
  const { audio_id, audio_revision, speakers, at } = command;
  if (state.audio_id !== audio_id) return nothing;
  const presentId = speakersSince(state, audio_revision);
  const given = new Map(speakers.map((speaker) => [presentId(speaker.speaker_id), speaker]));
  const faces = [...state.faces.values()].flatMap((face) => {
    const speaker = face.speaker_id === null ? undefined : given.get(face.speaker_id);
    return speaker === undefined || !isNewName(face, speaker) || stands(face, command)
      ? []
      : [renamedFace(face, speaker)];
  });
  const cause = { kind: 'speaker_renamed' as const, audio_id, audio_revision };
  return faces.length === 0 ? nothing : record<VideoEvent>({ type: 'FacesRenamed', data: { faces, cause, at } });
};

/** The name that a face takes from the speaker it is handed over to; null if it keeps its own real name. */
const heirsName = (face: Face, { name, merged_into }: WithdrawSpeaker): GivenName | null =>
  merged_into !== null &&
  isRealName(merged_into.name, merged_into.named_by) &&
  (face.name === name || face.name_origin !== 'own' || !isRealName(face.name, face.named_by))
    ? speakersName(merged_into, merged_into.name)
    : null;

/**
 * Removes a withdrawn speaker from its face, together with accuracy and personality data. If the speaker was merged,
 * the face gets the other speaker unless that one already has a face.
 */
export const withdrawSpeaker = (
  state: RegisteredVideo,
  { merged_into: heirThen, ...command }: WithdrawSpeaker,
): VideoDecision<'WithdrawSpeaker'> => {
  const { at } = command;
  const presentId = speakersSince(state, command.audio_revision);
  const speaker_id = presentId(command.speaker_id);
  if (speaker_id === null) return nothing;
  const heirId = heirThen === null ? null : presentId(heirThen.speaker_id);
  const merged_into = heirThen === null || heirId === null ? null : { ...heirThen, speaker_id: heirId };
  const faces = [...state.faces.values()];
  const hasFace = faces.some((face) => face.speaker_id === merged_into?.speaker_id);
  const heir = hasFace ? null : (merged_into?.speaker_id ?? null);
  const changes = faces
    .filter((face) => face.speaker_id === speaker_id)
    .map((face) => {
      if (heir === null) return withoutSpeaker(face);
      const { name, named_by } = heirsName(face, { ...command, merged_into }) ?? face;
      return faceChange(face, { ...face, speaker_id: heir, name }, named_by);
    });
  return changes.length === 0 && !state.ruled_out.has(speaker_id)
    ? nothing
    : record<VideoEvent>({
        type: 'SpeakerWithdrawn',
        data: { speaker_id, merged_into: merged_into?.speaker_id ?? null, changes, at },
      });
};

/** DELETE of a face's match. The name is kept. */
export const unmatchFace = (state: RegisteredVideo, { face_id, at }: UnmatchFace): VideoDecision<'UnmatchFace'> => {
  if (state.status !== 'completed') return refuse({ _tag: 'VideoUnprocessed', status: state.status });
  const face = [...state.faces.values()].find((one) => one.face_id === face_id);
  if (face === undefined) return refuse({ _tag: 'InvalidFace', face_id });
  if (face.speaker_id === null) return nothing;
  return record<VideoEvent>({
    type: 'FaceUnmatched',
    data: { changes: [withoutSpeaker(face)], at: laterThanAllNames(at, state.faces, null) },
  });
};
