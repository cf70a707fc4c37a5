import * as t from 'io-ts';
import { nullable } from '../kernel/event-codecs.js';
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
    /** The name that face and speaker will both have; null when each keeps its own. */
    name: nullable(t.string),
    /** Null: a person confirmed it. */
    accuracy: nullable(Accuracy),
    channel: MatchChannel,
    evidence: JsonObject,
  },
  'SuggestedMapping',
);
export type SuggestedMapping = t.TypeOf<typeof SuggestedMapping>;

/** A face that competes for a speaker, and the speaker of the block that it is matched to instead. */
export const MatchCandidate = t.type(
  { face_id: FaceId, accuracy: Accuracy, matched_speaker_id: nullable(SpeakerId) },
  'MatchCandidate',
);
export type MatchCandidate = t.TypeOf<typeof MatchCandidate>;

export const UnmatchedSpeaker = t.intersection(
  [
    t.type({ speaker_id: SpeakerId, reason: t.string }),
    /** The likeliest faces of a speaker who is `ambiguous`, and the chance that the speaker is not to be seen. */
    t.partial({ candidates: t.readonlyArray(MatchCandidate), nobody: Accuracy }),
  ],
  'UnmatchedSpeaker',
);
export type UnmatchedSpeaker = t.TypeOf<typeof UnmatchedSpeaker>;

/** The advisory result of a suggest run. Sent back as it is, it is a valid body of PUT speaker-face-match. */
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
