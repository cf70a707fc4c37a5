import { bestLinks } from '../../../domain/matching/assignment.js';
import { add, at, zeros } from '../../../domain/matching/matrix.js';
import type { MatchInput } from '../../../domain/matching/match-speakers-to-faces.js';
import { forEachOverlap, sharedSeconds, merged, totalSeconds } from '../../../domain/matching/intervals.js';
import type { ScoredLink } from './scoring.js';

/**
 * A simple method for comparison: the assignment with the longest overlap; at least 2 s, or, with talking
 * scores, a Jaccard index of speech and talking of at least 0.1.
 */
export const peerLinks = ({ faces, speakers }: MatchInput): readonly ScoredLink[] => {
  const scored = faces.some(({ talking }) => talking.length > 0);
  const shown = faces.map((face) => merged(scored ? face.talking.filter(({ score }) => score >= 0.5) : face.tracks));
  const turnsOfSpeakers = speakers.map(({ turns }) => merged(turns));
  const overlaps = zeros(turnsOfSpeakers.length, shown.length);
  turnsOfSpeakers.forEach((turns, i) =>
    shown.forEach((tracks, j) =>
      forEachOverlap(turns, tracks, (a, b) => add(overlaps, i, j, sharedSeconds(turns, a, tracks, b))),
    ),
  );
  return bestLinks(overlaps).flatMap(({ row, column }) => {
    const [face, speaker, overlap] = [faces[column], speakers[row], at(overlaps, row, column)];
    const [turns, tracks] = [turnsOfSpeakers[row], shown[column]];
    if (face === undefined || speaker === undefined || turns === undefined || tracks === undefined) return [];
    const union = totalSeconds(turns) + totalSeconds(tracks) - overlap;
    if (scored ? overlap / union < 0.1 : overlap < 2) return [];
    return [{ face_id: face.face_id, speaker_id: speaker.speaker_id, accuracy: 1 }];
  });
};
