import * as t from 'io-ts';
import { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import { JsonObject } from '../../domain/kernel/json.js';
import type { MatchResult } from '../../domain/matching/match-speakers-to-faces.js';
import { Accuracy } from '../../domain/video/face.js';
import { MatchCandidate, MatchChannel } from '../../domain/video/suggestion-block.js';

const Match = t.type({
  face_id: FaceId,
  speaker_id: SpeakerId,
  accuracy: Accuracy,
  channel: MatchChannel,
  evidence: JsonObject,
});

const UnmatchedSpeaker = t.intersection([
  t.type({
    speaker_id: SpeakerId,
    reason: t.keyof({ off_screen: null, ambiguous: null, too_little_speech: null, decided_not_seen: null }),
  }),
  t.partial({ nobody: Accuracy, candidates: t.readonlyArray(MatchCandidate) }),
]);

/** The answer of a match thread. */
export const MatchAnswer: t.Type<MatchResult, unknown> = t.type({
  matches: t.readonlyArray(Match),
  unmatched_speakers: t.readonlyArray(UnmatchedSpeaker),
  unmatched_faces: t.readonlyArray(FaceId),
});
