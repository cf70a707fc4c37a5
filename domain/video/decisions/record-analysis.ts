import { nothing, record, refuse } from '../../kernel/decider.js';
import { firstDuplicate } from '../../kernel/ids.js';
import { generatedFaceLabel, isBlank, isRealName } from '../../kernel/names.js';
import type { AnalysedFace, RecordVideoAnalysis } from '../contract.js';
import type { VideoDecision } from '../refusals.js';
import type { VideoEvent } from '../events.js';
import { type RecordedFace, attributesOf } from '../face.js';
import type { Face, RegisteredVideo } from '../state.js';

/**
 * Whether the face keeps its name: a real name given by a person or taken from its speaker. Placeholders are replaced.
 */
const keepsName = ({ name, named_by }: Face): boolean => named_by !== 'analysis' && isRealName(name, named_by);

const analysedFace = ({ face_id, name, personality_traits }: AnalysedFace, known: Face | undefined): RecordedFace => {
  const given = isBlank(name) ? null : name;
  return {
    face_id,
    name:
      known !== undefined && (keepsName(known) || given === null) ? known.name : (given ?? generatedFaceLabel(face_id)),
    speaker_id: known?.speaker_id ?? null,
    accuracy: known?.accuracy ?? null,
    personality_traits: personality_traits === undefined ? (known?.personality_traits ?? null) : personality_traits,
  };
};

/**
 * An analysis replaces the faces of the previous one. A face found again keeps its match, and its name if a person, a
 * match or its speaker gave it. An incomplete analysis removes no faces.
 */
export const recordAnalysis = (
  state: RegisteredVideo,
  { status, analysis_id, faces, tracks, at }: RecordVideoAnalysis,
): VideoDecision<'RecordVideoAnalysis'> => {
  const repeated = firstDuplicate(faces.map(({ face_id }) => face_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateFace', face_id: repeated });
  if (state.analysis_id === analysis_id) return nothing;
  const analysed = faces.map((face) => analysedFace(face, state.faces.get(face.face_id)));
  const present = new Set(analysed.map(({ face_id }) => face_id));
  const kept =
    status === 'completed'
      ? []
      : [...state.faces.values()]
          .filter(({ face_id }) => !present.has(face_id))
          .map((face) => ({ face_id: face.face_id, ...attributesOf(face) }));
  return record<VideoEvent>({
    type: 'VideoAnalysisRecorded',
    data: { status, analysis_id, faces: [...kept, ...analysed], tracks, at },
  });
};
