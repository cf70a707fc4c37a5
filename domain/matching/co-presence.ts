import { add, atLeast, type Matrix, zeros } from './matrix.js';
import { forEachOverlap } from './overlap.js';
import { addShare, forEachShare, newShares, type Shares } from './shares.js';
import { length } from './spans.js';
import type { Timeline } from './timeline.js';

/** What is counted about each pair of a speaker and a face; seconds, with a row per speaker and a column per face. */
export interface CoPresence {
  /** The (weighted) seconds of each turn in which each face is seen, by the turn's place in the timeline. */
  readonly facesIn: readonly Shares[];
  /** The speaker speaks and the face is visible. */
  readonly together: Matrix;
  /** The same, weighted by the talking score where there is one. */
  readonly talking: Matrix;
  /** Each turn's weighted seconds with the face, times the share that they are of the turn. */
  readonly turnsSeen: Matrix;
  /** Each track's seconds with the speaker, times the share that they are of the track. */
  readonly tracksHeard: Matrix;
  /** The longest stretch in which the face is visible and the speaker speaks without a break. */
  readonly longestTogether: Matrix;
}

const nobody = newShares();

export const coPresenceOf = ({ turns, tracks, presences, speaking }: Timeline): CoPresence => {
  const size = [speaking.length, presences.length] as const;
  const [together, talking, turnsSeen, tracksHeard] = [zeros(...size), zeros(...size), zeros(...size), zeros(...size)];
  const longestTogether = zeros(...size);
  const facesIn = turns.map(newShares);
  const speakersIn = tracks.map(newShares);
  forEachOverlap(turns, tracks, (turn, track, i, j) => {
    const start = Math.max(turn.start, track.start);
    const end = Math.min(turn.end, track.end);
    const faces = facesIn[i];
    const speakers = speakersIn[j];
    if (faces !== undefined) addShare(faces, track.owner, presences[track.owner]?.weigh(start, end) ?? 0);
    if (speakers !== undefined) addShare(speakers, turn.owner, end - start);
    atLeast(longestTogether, turn.owner, track.owner, end - start);
  });
  turns.forEach((turn, i) =>
    forEachShare(facesIn[i] ?? nobody, (face, seconds) => {
      add(talking, turn.owner, face, seconds);
      add(turnsSeen, turn.owner, face, (seconds * seconds) / length(turn));
    }),
  );
  tracks.forEach((track, j) =>
    forEachShare(speakersIn[j] ?? nobody, (speaker, seconds) => {
      add(together, speaker, track.owner, seconds);
      add(tracksHeard, speaker, track.owner, (seconds * seconds) / length(track));
    }),
  );
  return { facesIn, together, talking, turnsSeen, tracksHeard, longestTogether };
};
