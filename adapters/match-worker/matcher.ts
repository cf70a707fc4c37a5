import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { Matcher, MatcherFailed } from '../../application/ports/matcher.js';
import { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import { JsonObject } from '../../domain/kernel/recorded-event.js';
import type { MatchInput, MatchResult } from '../../domain/matching/match-speakers-to-faces.js';
import { Accuracy } from '../../domain/video/changes.js';
import { MatchCandidate, MatchChannel } from '../../domain/video/write-back.js';
import type { Threads } from '../runtime/threads.js';

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

/** The result of a thread. */
const MatchAnswer: t.Type<MatchResult, unknown> = t.type({
  matches: t.readonlyArray(Match),
  unmatched_speakers: t.readonlyArray(UnmatchedSpeaker),
  unmatched_faces: t.readonlyArray(FaceId),
});

/** More pairs of a face and a speaker than this would take minutes and gigabytes. */
const mostPairs = 500_000;
/** Matches with up to this many pairs or intervals take less than a second. */
const fewPairs = 50_000;
const fewIntervals = 80_000;

const failed = (reason: string): MatcherFailed => ({ _tag: 'MatcherFailed', reason });

const pairsOf = ({ faces, speakers }: MatchInput): number => faces.length * speakers.length;

const tooMany = ({ faces, speakers }: MatchInput): string =>
  `too many pairs: ${faces.length} faces with ${speakers.length} speakers, ${mostPairs.toLocaleString('en')} at most`;

const isSmall = (input: MatchInput): boolean => {
  const ofFaces = input.faces.reduce((sum, { tracks, talking }) => sum + tracks.length + talking.length, 0);
  const ofSpeakers = input.speakers.reduce((sum, { turns }) => sum + turns.length, 0);
  return pairsOf(input) <= fewPairs && ofFaces + ofSpeakers <= fewIntervals;
};

/**
 * Computes matches in worker threads. Large ones have a thread of their own, so that small ones do not wait for them. A match
 * of more than 500,000 pairs fails at once.
 */
export const threadedMatcher = (threads: Threads): Matcher => ({
  match: (input) =>
    pairsOf(input) > mostPairs
      ? TE.left(failed(tooMany(input)))
      : TE.tryCatch(
          () =>
            threads.run({
              work: 'match',
              lane: isSmall(input) ? 'short' : 'large match',
              input,
              result: MatchAnswer,
              timeoutMs: 120_000,
            }),
          (error) => failed(error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
        ),
});
