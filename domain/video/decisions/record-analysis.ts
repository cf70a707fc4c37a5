import { dataOf, nothing, record, refuse } from '../../kernel/decider.js';
import { firstDuplicate } from '../../kernel/ids.js';
import { generatedFaceLabel, isBlank, isRealName } from '../../kernel/names.js';
import { continuing, renumberingIn } from '../../kernel/renumbering.js';
import type { AnalysedFace, FollowRenumbering, RecordVideoAnalysis, VideoDecision } from '../contract.js';
import type { VideoEvent } from '../events.js';
import type { RecordedFace } from '../changes.js';
import { type Face, type RegisteredVideo, laterThanAllNames, comparedState, lastFollowed } from '../state.js';

/**
 * The name after an analysis. A real name that a person or a match gave stays; otherwise a real name that the analysis
 * states, then an earlier analysis's real name. An earlier placeholder does not stay.
 */
const nameAfter = (given: string | null, known: Face | undefined): string | null => {
  if (known === undefined || !isRealName(known.name, known.named_by)) return given;
  return known.named_by !== 'analysis' || !isRealName(given) ? known.name : given;
};

/** A face that continues another one has only what changed: its match and the name of its speaker are the audio's. */
const analysedFace = (given: AnalysedFace, known: Face | undefined): RecordedFace => {
  const { face_id, personality_traits } = given;
  const name = nameAfter(isBlank(given.name) ? null : given.name, known) ?? generatedFaceLabel(face_id);
  if (known === undefined)
    return { face_id, name, speaker_id: null, accuracy: null, personality_traits: personality_traits ?? null };
  return {
    face_id,
    ...(name === known.name ? {} : { name }),
    ...(personality_traits === undefined ? {} : { personality_traits }),
  };
};

/**
 * An analysis replaces the faces of the previous one. What people and runs gave to a face goes to the one that continues
 * it, whatever its number. An incomplete analysis removes no faces.
 */
export const recordAnalysis = (
  state: RegisteredVideo,
  command: RecordVideoAnalysis,
): VideoDecision<'RecordVideoAnalysis'> => {
  const { status, analysis_id, faces, tracks, at } = command;
  const repeated = firstDuplicate(faces.map(({ face_id }) => face_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateFace', face_id: repeated });
  if (state.analysis_id === analysis_id) return nothing;
  if (command.alignment !== null && command.alignment.comparedWith !== comparedState(state))
    return refuse({ _tag: 'ComparedWithOthers' });
  const present = new Set(faces.map(({ face_id }) => face_id));
  const renumbering = renumberingIn(command, [...present], state.faces);
  const continued = continuing(renumbering, state.faces);
  const analysed = faces.map((face) => analysedFace(face, continued(face.face_id)));
  const kept =
    status === 'completed'
      ? []
      : [...state.faces.values()].filter(({ face_id }) => !present.has(face_id)).map(({ face_id }) => ({ face_id }));
  return record<VideoEvent>({
    type: 'VideoAnalysisRecorded',
    data: { status, analysis_id, faces: [...kept, ...analysed], tracks, at, ...renumbering },
  });
};

/** Follows an analysis of the audio that numbers the speakers differently; each one once, in order. */
export const followRenumbering = (
  state: RegisteredVideo,
  command: FollowRenumbering,
): VideoDecision<'FollowRenumbering'> =>
  state.audio_id !== command.audio_id || command.audio_revision <= lastFollowed(state)
    ? nothing
    : record<VideoEvent>({
        type: 'SpeakersRenumbered',
        data: { ...dataOf(command), at: laterThanAllNames(command.at, state.faces, null) },
      });
