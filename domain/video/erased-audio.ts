import * as t from 'io-ts';
import { nullable } from '../kernel/event-codecs.js';
import { AudioId, FaceId } from '../kernel/ids.js';
import { ProcessingStatus } from '../kernel/media.js';
import { NamedBy } from '../kernel/names.js';
import { Timestamp } from '../kernel/timestamp.js';
import { FaceAttributes } from './face.js';

export const StandingFace = t.intersection([t.type({ face_id: FaceId, named_by: NamedBy }), FaceAttributes]);

/**
 * The video's audio was erased: what the video is without it, all that events before can no longer tell. Names that came
 * from speakers are not in it, nor matches, blocks, runs and decisions.
 */
export const AudioErasedData = t.type({
  audio_id: AudioId,
  status: ProcessingStatus,
  analysis_id: nullable(t.string),
  tracks: nullable(t.type({ first_revision: t.number, parts: t.number })),
  faces: t.readonlyArray(StandingFace),
  at: Timestamp,
});
export type AudioErasedData = t.TypeOf<typeof AudioErasedData>;
