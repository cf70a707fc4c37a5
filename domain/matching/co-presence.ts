import { add, type Matrix, zeros } from './matrix.js';
import { forEachOverlap } from './overlap.js';
import { addShare, newShares } from './shares.js';
import type { SeenTurn } from './speech-credit.js';
import type { Timeline } from './timeline.js';

/** What is counted about each pair of a speaker and a face; seconds, with a row per speaker and a column per face. */
export interface CoPresence {
  readonly seenTurns: readonly SeenTurn[];
  /** The speaker speaks and the face is visible. */
  readonly together: Matrix;
  /** The same, weighted by the talking score where there is one. */
  readonly talking: Matrix;
  /** Each turn's weighted seconds with the face, times the share that they are of the turn. */
  readonly turnsSeen: Matrix;
  /** Each track's seconds with the speaker, times the share that they are of the track. */
  readonly tracksHeard: Matrix;
}

export const coPresenceOf = ({ turns, tracks, presences, speaking }: Timeline): CoPresence => {
  const size = [speaking.length, presences.length] as const;
  const [together, talking, turnsSeen, tracksHeard] = [zeros(...size), zeros(...size), zeros(...size), zeros(...size)];
  const seenTurns = turns.map(({ start, end, owner }) => ({
    start,
    end,
    owner,
    seconds: end - start,
    faces: newShares(),
  }));
  const heardTracks = tracks.map(({ start, end, owner }) => ({
    start,
    end,
    owner,
    seconds: end - start,
    speakers: newShares(),
  }));
  forEachOverlap(seenTurns, heardTracks, (turn, track) => {
    const start = Math.max(turn.start, track.start);
    const end = Math.min(turn.end, track.end);
    addShare(turn.faces, track.owner, presences[track.owner]?.weigh(start, end) ?? 0);
    addShare(track.speakers, turn.owner, end - start);
  });
  for (const turn of seenTurns)
    for (const { owner, seconds } of turn.faces) {
      add(talking, turn.owner, owner, seconds);
      add(turnsSeen, turn.owner, owner, (seconds * seconds) / turn.seconds);
    }
  for (const track of heardTracks)
    for (const { owner, seconds } of track.speakers) {
      add(together, owner, track.owner, seconds);
      add(tracksHeard, owner, track.owner, (seconds * seconds) / track.seconds);
    }
  return { seenTurns, together, talking, turnsSeen, tracksHeard };
};
