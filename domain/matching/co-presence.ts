import { add, at, type Matrix, tabulate, zeros } from './matrix.js';
import { forEachOverlap, sharedSeconds, lengthOf } from './stretches.js';
import { forEachShare, type Shares, sharesOf } from './shares.js';
import type { Timeline } from './timeline.js';
import { scoreOf } from './presence.js';

/** What is counted about each pair of a speaker and a face; seconds, with a row per speaker and a column per face. */
export interface CoPresence {
  /** The (weighted) seconds of each turn, by its place in the timeline, in which each face is seen. */
  readonly facesIn: Shares;
  /** The speaker speaks and the face is visible. */
  readonly together: Matrix;
  /** The same, weighted by the talking score where there is one. */
  readonly talking: Matrix;
  /** Each turn's weighted seconds with the face, times the share that they are of the turn. */
  readonly turnsSeen: Matrix;
  /** Each track's seconds with the speaker, times the share that they are of the track. */
  readonly tracksHeard: Matrix;
  /** How many tracks of the face the speaker is heard in. */
  readonly tracksWithSpeaker: Matrix;
  /** How many tracks of the face somebody is heard in, but not the speaker. */
  readonly tracksWithOthers: Matrix;
}

/** Seconds together below which a pair is no candidate: a frame or two at a cut says nothing. */
export const leastTogether = 0.3;

/** Seconds of speech in a track up to which it is an accident of the cut; no multiple of the offsets that are tried. */
const heardFor = 0.11;

/** How many tracks of each face somebody is heard in. */
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
 * The mean talking score of a face while the speaker speaks and it is seen, in [0, 1]; null without scores or such
 * seconds. A score is linear in the weight that it gives a second, so that sums of weights tell sums of scores.
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
