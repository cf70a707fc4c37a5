import * as t from 'io-ts';
import { nullable } from '../kernel/recorded-event.js';
import { FaceId, RunId, SpeakerId } from '../kernel/ids.js';
import { JsonObject } from '../kernel/json.js';
import { Timestamp } from '../kernel/timestamp.js';
import { Accuracy } from './face.js';

export const MatchChannel = t.keyof({ name: null, co_occurrence: null }, 'MatchChannel');
export type MatchChannel = t.TypeOf<typeof MatchChannel>;

export const SuggestedMapping = t.type(
  {
    face_id: FaceId,
    speaker_id: SpeakerId,
    /** The name that face and speaker will share; null if each keeps its own. */
    name: nullable(t.string),
    /** Null: a person confirmed the match. */
    accuracy: nullable(Accuracy),
    channel: MatchChannel,
    evidence: JsonObject,
  },
  'SuggestedMapping',
);
export type SuggestedMapping = t.TypeOf<typeof SuggestedMapping>;

/** A candidate face of a speaker, and the speaker that it is matched to instead, if any. */
export const MatchCandidate = t.type(
  { face_id: FaceId, accuracy: Accuracy, matched_speaker_id: nullable(SpeakerId) },
  'MatchCandidate',
);
export type MatchCandidate = t.TypeOf<typeof MatchCandidate>;

export const UnmatchedSpeaker = t.intersection(
  [
    t.type({ speaker_id: SpeakerId, reason: t.string }),
    /** For `ambiguous` speakers: the likeliest faces, and the probability that the speaker is not visible. */
    t.partial({ candidates: t.readonlyArray(MatchCandidate), nobody: Accuracy }),
  ],
  'UnmatchedSpeaker',
);
export type UnmatchedSpeaker = t.TypeOf<typeof UnmatchedSpeaker>;

/** The result of a suggest run. It can be sent unchanged as the body of PUT speaker-face-match. */
export const SuggestionBlock = t.type(
  {
    run_id: RunId,
    generated_at: Timestamp,
    mappings: t.readonlyArray(SuggestedMapping),
    unmatched_speakers: t.readonlyArray(UnmatchedSpeaker),
    unmatched_faces: t.readonlyArray(FaceId),
  },
  'SuggestionBlock',
);
export type SuggestionBlock = t.TypeOf<typeof SuggestionBlock>;

export interface ProposedMatch {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number;
  readonly channel: MatchChannel;
  readonly evidence: JsonObject;
}

export type WorkerAnswer =
  | {
      readonly status: 'completed';
      readonly matches: ReadonlyArray<ProposedMatch>;
      readonly unmatched_speakers: ReadonlyArray<UnmatchedSpeaker>;
    }
  | { readonly status: 'failed'; readonly error: string };
