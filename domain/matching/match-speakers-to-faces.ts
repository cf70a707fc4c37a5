import type { FaceId, SpeakerId } from '../kernel/ids.js';
import type { Interval } from '../kernel/interval.js';
import type { JsonObject } from '../kernel/json.js';
export interface FaceTrack {
  readonly face_id: FaceId;
  readonly name: string | null;
  readonly tracks: readonly Interval[];
  readonly talking: readonly { readonly start: number; readonly end: number; readonly score: number }[];
  readonly captions: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}
export interface SpeakerTurns {
  readonly speaker_id: SpeakerId;
  readonly name: string | null;
  readonly turns: readonly Interval[];
}
export interface MatchInput {
  readonly faces: readonly FaceTrack[];
  readonly speakers: readonly SpeakerTurns[];
  readonly target_speaker_ids: readonly SpeakerId[] | null;
}
export interface ProposedMatch {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number;
  readonly channel: 'name' | 'co_occurrence';
  readonly evidence: JsonObject;
}
export interface MatchResult {
  readonly matches: readonly ProposedMatch[];
  readonly unmatched_speakers: readonly { readonly speaker_id: SpeakerId; readonly reason: string }[];
  readonly unmatched_faces: readonly FaceId[];
}
export declare const matchSpeakersToFaces: (input: MatchInput) => MatchResult;
