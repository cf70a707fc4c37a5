import { add, at, type Matrix, tabulate, zeros } from './matrix.js';
import { forEachOverlap, sharedSeconds, lengthOf } from './stretches.js';
import { forEachShare, type Shares, sharesOf } from './shares.js';
import type { Timeline } from './timeline.js';
import { scoreOf } from './presence.js';

/** Statistics of each pair of a speaker (row) and a face (column), in seconds. */
export interface CoPresence {
  /** Weighted seconds of each turn, by its index, in which each face is visible. */
  readonly facesIn: Shares;
  /** Seconds in which the speaker speaks and the face is visible. */
  readonly together: Matrix;
  /** The same, weighted by the talking score if there is one. */
  readonly talking: Matrix;
  /** The sum over turns of the weighted seconds with the face, times the fraction of the turn that they are. */
  readonly turnsSeen: Matrix;
  /** The sum over tracks of the seconds with the speaker, times the fraction of the track that they are. */
  readonly tracksHeard: Matrix;
  /** Number of the face's tracks in which the speaker is heard. */
  readonly tracksWithSpeaker: Matrix;
  /** Number of the face's tracks in which others are heard, but not the speaker. */
  readonly tracksWithOthers: Matrix;
}

/** Minimum seconds together of a candidate pair: a frame or two at a cut mean nothing. */
export const minSecondsTogether = 0.3;

/** Speech in a track up to this many seconds is ignored as inexact cutting. Not a multiple of the tested offsets. */
const heardFor = 0.11;

/** Number of tracks of each face in which anybody is heard. */
const voicedTracks = (speakersIn: Shares, { tracks, presences }: Timeline): Float64Array => {
  const speech = new Float64Array(tracks.starts.length);
  forEachShare(speakersIn, (track, _, seconds) => (speech[track] = (speech[track] ?? 0) + seconds));
  const voiced = new Float64Array(presences.length);
  speech.forEach((seconds, track) => {
    const face = tracks.owners[track] ?? 0;
    if (seconds > heardFor) voiced[face] = (voiced[face] ?? 0) + 1;
  });
  return voiced;
};

export const coPresenceOf = (timeline: Timeline): CoPresence => {
  const { turns, tracks, presences, speaking } = timeline;
  const size = [speaking.length, presences.length] as const;
  const [together, talking, turnsSeen, tracksHeard] = [zeros(...size), zeros(...size), zeros(...size), zeros(...size)];
  const tracksWithSpeaker = zeros(...size);
  let overlaps = 0;
  forEachOverlap(turns, tracks, () => (overlaps += 1));
  const facesIn = sharesOf(turns, tracks, { owners: presences.length, overlaps }, (turn, track) => {
    const start = Math.max(turns.starts[turn] ?? 0, tracks.starts[track] ?? 0);
    const end = Math.min(turns.ends[turn] ?? 0, tracks.ends[track] ?? 0);
    return presences[tracks.owners[track] ?? 0]?.weigh(start, end) ?? 0;
  });
  const speakersIn = sharesOf(tracks, turns, { owners: speaking.length, overlaps }, (track, turn) =>
    sharedSeconds(tracks, track, turns, turn),
  );
  forEachShare(facesIn, (turn, face, seconds) => {
    const speaker = turns.owners[turn] ?? 0;
    add(talking, speaker, face, seconds);
    add(turnsSeen, speaker, face, (seconds * seconds) / lengthOf(turns, turn));
  });
  forEachShare(speakersIn, (track, speaker, seconds) => {
    const face = tracks.owners[track] ?? 0;
    add(together, speaker, face, seconds);
    add(tracksHeard, speaker, face, (seconds * seconds) / lengthOf(tracks, track));
    if (seconds > heardFor) add(tracksWithSpeaker, speaker, face, 1);
  });
  const voiced = voicedTracks(speakersIn, timeline);
  const tracksWithOthers = tabulate(...size, (i, j) => (voiced[j] ?? 0) - at(tracksWithSpeaker, i, j));
  return { facesIn, together, talking, turnsSeen, tracksHeard, tracksWithSpeaker, tracksWithOthers };
};

/**
 * The mean talking score in [0, 1] of a face while it is visible and the speaker speaks; null without scores or such
 * seconds. Scores are linear in the weights of seconds, so it is computed from sums of weights.
 */
export const talkingAgreement = (
  { presences }: Timeline,
  counts: CoPresence,
  speaker: number,
  face: number,
): number | null => {
  const together = at(counts.together, speaker, face);
  if (presences[face]?.scored !== true || together <= 0) return null;
  return scoreOf(at(counts.talking, speaker, face) / together);
};

/** Seconds in which the speaker speaks and the face is visible, and talks if it has talking scores. */
export const secondsSeen = (timeline: Timeline, counts: CoPresence, speaker: number, face: number): number =>
  at(counts.together, speaker, face) * Math.max(0, talkingAgreement(timeline, counts, speaker, face) ?? 1);
