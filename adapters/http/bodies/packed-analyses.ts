import * as t from 'io-ts';
import type { PackedParts } from '../../../application/evidence/packed-parts.js';
import type { AudioAnalysis } from '../../../application/use-cases/audios/record-audio-analysis.js';
import type { VideoAnalysis } from '../../../application/use-cases/videos/record-video-analysis.js';
import type { ReplacingTranscript } from '../../../application/use-cases/audios/replace-transcript.js';
import { nullable } from '../../../domain/kernel/event-codecs.js';
import { Finite, JsonObject } from '../../../domain/kernel/json.js';
import { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';
import { ProcessingStatus, SpeakerRole } from '../../../domain/kernel/media.js';
import { instanceCodec } from '../../runtime/instance-codec.js';

/* Analyses as they come back from the thread that read them. */

const Packed: t.Type<PackedParts, unknown> = t.type({
  parts: t.readonlyArray(instanceCodec<Uint8Array>('Bytes', Uint8Array)),
  digest: t.string,
});

export const PackedVideoAnalysis: t.Type<VideoAnalysis, unknown> = t.type({
  status: ProcessingStatus,
  faces: t.readonlyArray(
    t.type({
      face_id: FaceId,
      name: nullable(t.string),
      personality_traits: t.union([JsonObject, t.null, t.undefined]),
    }),
  ),
  tracks: nullable(Packed),
});

export const PackedAudioAnalysis: t.Type<AudioAnalysis, unknown> = t.type({
  status: ProcessingStatus,
  speakers: t.readonlyArray(
    t.type({
      speaker_id: SpeakerId,
      name: nullable(t.string),
      role: t.union([SpeakerRole, t.null, t.undefined]),
      synthetic: t.boolean,
    }),
  ),
  mentioned: t.readonlyArray(SpeakerId),
  turns: nullable(Packed),
  transcript: nullable(Packed),
  provider_supplied: t.boolean,
  speech_segments: nullable(t.string),
});

export const PackedTranscript: t.Type<ReplacingTranscript, unknown> = t.type({
  transcript: Packed,
  utterances: Finite,
  mentioned: t.readonlyArray(SpeakerId),
});
