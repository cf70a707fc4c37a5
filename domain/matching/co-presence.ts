import type { Interval } from '../kernel/interval.js';
import { add, type Matrix, zeros } from './matrix.js';
import { forEachOverlap, intersection, sharesOf } from './overlap.js';
import type { SeenTurn } from './speech-credit.js';
import { byStart, length, merged, ownedBy, type Span, widened } from './spans.js';
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
  /** Speech of others within reach of both the speaker's turns and the face's tracks: a conversation. */
  readonly conversation: Matrix;
}

/** Seconds around turns and tracks in which the speech of others counts as the same conversation. */
const reach = 3;

const seenTurnsOf = ({ turns, presences }: Timeline): readonly SeenTurn[] => {
  const pieces = presences.flatMap(({ weighted }) => weighted).sort(byStart);
  const shares = sharesOf(turns, pieces);
  return turns.map((turn, n) => ({ speaker: turn.owner, seconds: length(turn), faces: shares[n] ?? [] }));
};

/** Adds the seconds that spans of speech and of sight share to the cells of their owners, or takes them away. */
const addShared = (to: Matrix, speech: readonly Span[], sight: readonly Span[], sign: 1 | -1): void =>
  forEachOverlap(speech, sight, (i, j, start, end) =>
    add(to, speech[i]?.owner ?? 0, sight[j]?.owner ?? 0, sign * (end - start)),
  );

const conversationOf = (timeline: Timeline): Matrix => {
  const { turns, presences, speaking } = timeline;
  const out = zeros(speaking.length, presences.length);
  const nearFaces = presences.flatMap(({ visible }, face) => ownedBy(face, widened(visible, reach))).sort(byStart);
  const speech = merged(turns);
  const own: Interval[][] = speaking.map(() => []);
  turns.forEach((turn) => own[turn.owner]?.push(turn));
  const nearSpeech = own.flatMap((intervals, speaker) =>
    ownedBy(speaker, intersection(widened(intervals, reach), speech)),
  );
  addShared(out, nearSpeech.sort(byStart), nearFaces, 1);
  addShared(out, turns, nearFaces, -1);
  return out;
};

export const coPresenceOf = (timeline: Timeline): CoPresence => {
  const size = [timeline.speaking.length, timeline.presences.length] as const;
  const [together, talking, turnsSeen, tracksHeard] = [zeros(...size), zeros(...size), zeros(...size), zeros(...size)];
  const seenTurns = seenTurnsOf(timeline);
  for (const { speaker, seconds, faces } of seenTurns)
    for (const { owner, seconds: seen } of faces) {
      add(talking, speaker, owner, seen);
      add(turnsSeen, speaker, owner, (seen * seen) / seconds);
    }
  const tracks = timeline.presences.flatMap(({ visible }, face) => ownedBy(face, visible)).sort(byStart);
  sharesOf(tracks, timeline.turns).forEach((speakers, n) => {
    const track = tracks[n];
    if (track === undefined) return;
    for (const { owner, seconds: heard } of speakers) {
      add(together, owner, track.owner, heard);
      add(tracksHeard, owner, track.owner, (heard * heard) / length(track));
    }
  });
  return { seenTurns, together, talking, turnsSeen, tracksHeard, conversation: conversationOf(timeline) };
};
