import * as t from 'io-ts';
import { FaceId, SpeakerId } from '../kernel/ids.js';

/** A match of a write-back that is left out, and what people decided instead. */
export const SkippedMatch = t.type(
  {
    face_id: FaceId,
    speaker_id: SpeakerId,
    reason: t.keyof({ pair_rejected: null, speaker_not_seen: null, speaker_confirmed: null, face_confirmed: null }),
  },
  'SkippedMatch',
);
export type SkippedMatch = t.TypeOf<typeof SkippedMatch>;
