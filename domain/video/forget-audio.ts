import type * as t from 'io-ts';
import { nothing, record } from '../kernel/decider.js';
import { generatedFaceLabel } from '../kernel/names.js';
import type { ForgetAudio, VideoDecision } from './contract.js';
import type { AudioErasedData, StandingFace, VideoEvent } from './events.js';
import { nothingRuledOut } from './changes.js';
import { type Face, type RegisteredVideo, noMatch } from './state.js';

const standing = ({ face_id, own, personality_traits }: Face): t.TypeOf<typeof StandingFace> => {
  const { name, named_by } = own.at(-1) ?? { name: generatedFaceLabel(face_id), named_by: 'analysis' as const };
  return { face_id, name, named_by, speaker_id: null, accuracy: null, personality_traits };
};

/** Removes everything that came from an erased audio. Repeating it changes nothing. */
export const forgetAudio = (state: RegisteredVideo, { audio_id, at }: ForgetAudio): VideoDecision<'ForgetAudio'> => {
  if (state.audio_id !== audio_id) return nothing;
  const { status, analysis_id, tracks } = state;
  const faces = [...state.faces.values()].map(standing);
  const renumberings = state.renumberings.faces;
  return record<VideoEvent>({
    type: 'AudioErased',
    data: {
      audio_id,
      status,
      analysis_id,
      tracks,
      faces,
      at,
      ...(renumberings.length === 0 ? {} : { renumberings }),
    },
  });
};

export const withoutAudio = (
  state: RegisteredVideo,
  { status, analysis_id, tracks, faces, renumberings = [] }: AudioErasedData,
): RegisteredVideo => ({
  ...state,
  audio_id: null,
  status,
  analysis_id,
  tracks,
  completed: status === 'completed' ? { tracks } : null,
  renumberings: { faces: renumberings, speakers: [] },
  faces: new Map(
    faces.map((face) => {
      const { name, named_by } = face;
      return [face.face_id, { ...face, named_at: null, name_origin: 'own', own: [{ name, named_by }] }];
    }),
  ),
  match: noMatch,
  open_runs: [],
  ruled_out: nothingRuledOut,
});
