import { type PackedMatchInput, unpackMatchInput } from '../../application/evidence/packed-match.js';
import { type MatchResult, matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';

/** What a worker thread runs. */
export default function computeMatch(input: PackedMatchInput): MatchResult {
  return matchSpeakersToFaces(unpackMatchInput(input));
}
