import {
  type MatchInput,
  type MatchResult,
  matchSpeakersToFaces,
} from '../../domain/matching/match-speakers-to-faces.js';

/** What a worker thread runs. */
export default function computeMatch(input: MatchInput): MatchResult {
  return matchSpeakersToFaces(input);
}
