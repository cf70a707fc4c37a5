import {
  forEachOverlap,
  type Intervals,
  lengthOf,
  runningTotal,
  sharedSeconds,
  type Spans,
  spansOf,
  totalSeconds,
  union,
  widened,
} from './intervals.js';
import { add, at, columnSums, type Matrix, tabulate, zeros } from './matrix.js';
import { scoreOf, type Timeline } from './timeline.js';

/** Seconds that parts (turns or tracks) share with owners (faces or speakers), by index: a sparse table by part. */
interface Shares {
  readonly parts: Uint32Array;
  readonly owners: Uint32Array;
  readonly seconds: Float64Array;
}

/** The seconds that each part shares with each owner. `secondsOf` gives those of one overlapping pair. */
const sharesOf = (
  parts: Spans,
  others: Spans,
  ownerCount: number,
  secondsOf: (part: number, other: number) => number,
): Shares => {
  let overlaps = 0;
  forEachOverlap(parts, others, () => (overlaps += 1));
  const [partOf, ownerOf] = [new Uint32Array(overlaps), new Uint32Array(overlaps)];
  const seconds = new Float64Array(overlaps);
  /** Index of each owner's last entry; -1: none. */
  const latest = new Int32Array(ownerCount).fill(-1);
  let count = 0;
  forEachOverlap(parts, others, (part, other) => {
    const owner = others.owners[other] ?? 0;
    const known = latest[owner] ?? -1;
    const isNew = known < 0 || partOf[known] !== part;
    const entry = isNew ? count++ : known;
    partOf[entry] = part;
    ownerOf[entry] = owner;
    seconds[entry] = (seconds[entry] ?? 0) + secondsOf(part, other);
    latest[owner] = entry;
  });
  return { parts: partOf.subarray(0, count), owners: ownerOf.subarray(0, count), seconds: seconds.subarray(0, count) };
};

const forEachShare = (
  { parts, owners, seconds }: Shares,
  visit: (part: number, owner: number, seconds: number) => void,
): void => {
  for (let n = 0; n < parts.length; n += 1) visit(parts[n] ?? 0, owners[n] ?? 0, seconds[n] ?? 0);
};

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

export const coPresenceOf = ({ turns, tracks, presences, speaking }: Timeline): CoPresence => {
  const size = [speaking.length, presences.length] as const;
  const [together, talking, turnsSeen, tracksHeard] = [zeros(...size), zeros(...size), zeros(...size), zeros(...size)];
  const tracksWithSpeaker = zeros(...size);
  const facesIn = sharesOf(turns, tracks, presences.length, (turn, track) => {
    const start = Math.max(turns.starts[turn] ?? 0, tracks.starts[track] ?? 0);
    const end = Math.min(turns.ends[turn] ?? 0, tracks.ends[track] ?? 0);
    return presences[tracks.owners[track] ?? 0]?.weigh(start, end) ?? 0;
  });
  forEachShare(facesIn, (turn, face, seconds) => {
    const speaker = turns.owners[turn] ?? 0;
    add(talking, speaker, face, seconds);
    add(turnsSeen, speaker, face, (seconds * seconds) / lengthOf(turns, turn));
  });
  const speech = new Float64Array(tracks.starts.length);
  const speakersIn = sharesOf(tracks, turns, speaking.length, (track, turn) =>
    sharedSeconds(tracks, track, turns, turn),
  );
  forEachShare(speakersIn, (track, speaker, seconds) => {
    const face = tracks.owners[track] ?? 0;
    speech[track] = (speech[track] ?? 0) + seconds;
    add(together, speaker, face, seconds);
    add(tracksHeard, speaker, face, (seconds * seconds) / lengthOf(tracks, track));
    if (seconds > heardFor) add(tracksWithSpeaker, speaker, face, 1);
  });
  /** Number of tracks of each face in which anybody is heard. */
  const voiced = zeros(1, presences.length);
  speech.forEach((seconds, track) => add(voiced, 0, tracks.owners[track] ?? 0, seconds > heardFor ? 1 : 0));
  const tracksWithOthers = tabulate(...size, (i, j) => at(voiced, 0, j) - at(tracksWithSpeaker, i, j));
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

const passes = 3;
/** The claim of "no visible face" on a turn; a face visible during the whole turn claims 1. */
const nobody = 0.5;

/** The credit of every pair if its claim on each turn is weighted by the belief in the pair. */
const credited = (facesIn: Shares, turns: Spans, belief: Matrix): Matrix => {
  const credit = zeros(belief.rows, belief.columns);
  const claimsOn = new Float64Array(turns.starts.length).fill(nobody);
  const claimOf = (turn: number, face: number, seconds: number): number =>
    (seconds / lengthOf(turns, turn)) * at(belief, turns.owners[turn] ?? 0, face);
  forEachShare(facesIn, (turn, face, seconds) => {
    claimsOn[turn] = (claimsOn[turn] ?? 0) + claimOf(turn, face, seconds);
  });
  forEachShare(facesIn, (turn, face, seconds) =>
    add(credit, turns.owners[turn] ?? 0, face, (seconds * claimOf(turn, face, seconds)) / (claimsOn[turn] ?? 0)),
  );
  return credit;
};

/**
 * The new belief in each pair: high if the face has much of the speaker's speech and the speaker much of the face's
 * credit.
 */
const believed = (credit: Matrix, speaking: readonly number[], possible: Matrix): Matrix => {
  const ofFace = columnSums(credit);
  const raw = tabulate(credit.rows, credit.columns, (i, j) => {
    const share = at(credit, i, j) / ((speaking[i] ?? 0) + 1);
    return at(possible, i, j) * share * ((at(credit, i, j) + 0.1) / ((ofFace[j] ?? 0) + 0.1));
  });
  const best = Array.from({ length: raw.rows }, (_, i) =>
    raw.cells.subarray(i * raw.columns, (i + 1) * raw.columns).reduce((a, b) => Math.max(a, b), 0),
  );
  return tabulate(raw.rows, raw.columns, (i, j) => at(raw, i, j) / ((best[i] ?? 0) + 0.001));
};

/**
 * Seconds of each speaker's speech attributed to each face, by distributing every turn among the visible faces and
 * nobody. Each pass believes more in pairs credited by the previous one, so that a face that listens to many loses to
 * one that is visible during its own speech: expectation maximisation as in word alignment (Brown et al. 1993, model
 * 1), stopped early. `possible` is 1 or 0 per pair.
 */
export const speechCredit = ({ turns, speaking }: Timeline, facesIn: Shares, possible: Matrix): Matrix => {
  let credit = credited(facesIn, turns, possible);
  for (let pass = 1; pass < passes; pass += 1) credit = credited(facesIn, turns, believed(credit, speaking, possible));
  return credit;
};

/** Log odds of each cell against the rest of its column, with half a second added to both. */
const shareLogOdds = (credit: Matrix): Matrix => {
  const columns = columnSums(credit);
  return tabulate(credit.rows, credit.columns, (i, j) => {
    const own = at(credit, i, j);
    return Math.log((own + 0.5) / (Math.max(0, (columns[j] ?? 0) - own) + 0.5));
  });
};

/** Speech of others within this many seconds of turns and tracks counts as the same conversation. */
const conversationReach = 3;

/**
 * Seconds in which others speak near both the speaker's turns and the face's tracks. A pair that is together in a
 * conversation is more reliable than one in a monologue. Times are mapped to a clock that runs only while anybody
 * speaks, so that overlaps measure speech.
 */
const conversationOf = ({ turns, tracks, heard, presences }: Timeline): Matrix => {
  const seconds = zeros(heard.length, presences.length);
  const spoken = runningTotal(union(turns), () => 1);
  const onClock = ({ starts, ends, owners }: Spans): Spans => ({
    starts: starts.map(spoken),
    ends: ends.map(spoken),
    owners,
  });
  const near = (spans: Spans): Spans => onClock(widened(spans, conversationReach));
  const sight = near(tracks);
  const addShared = (speech: Spans, sign: 1 | -1): void =>
    forEachOverlap(speech, sight, (turn, track) =>
      add(
        seconds,
        speech.owners[turn] ?? 0,
        sight.owners[track] ?? 0,
        sign * sharedSeconds(speech, turn, sight, track),
      ),
    );
  addShared(near(turns), 1);
  addShared(onClock(turns), -1);
  return seconds;
};

/**
 * Two ends within this many seconds count as simultaneous: editors cut slightly after the last word. Not a multiple of
 * the tested offsets.
 */
const endTolerance = 0.69;

/** The ends of intervals, as intervals of zero length. */
const endsOf = ({ ends }: Intervals): Intervals => ({ starts: ends, ends });

/**
 * Number of tracks of each face that end together with a turn of each speaker: editors stay with a person until the
 * last word.
 */
const endsTogether = ({ heard, presences }: Timeline): Matrix => {
  const count = zeros(heard.length, presences.length);
  const tracks = spansOf(presences.map(({ visible }) => endsOf(visible)));
  const turns = widened(spansOf(heard.map(endsOf)), endTolerance);
  forEachOverlap(tracks, turns, (track, turn) => add(count, turns.owners[turn] ?? 0, tracks.owners[track] ?? 0, 1));
  return count;
};

/** Features of one pair. Logarithms are natural, of counts or seconds plus 0.5. */
export interface PairFeatures {
  /** Log odds that speech credited to the face is this speaker's. */
  readonly creditOfFace: number;
  readonly speaking: number;
  readonly turnsSeen: number;
  readonly tracksHeard: number;
  readonly conversation: number;
  /** Logarithm of the number of the face's tracks in which the speaker is heard. */
  readonly tracksWithSpeaker: number;
  /** Logarithm of the number of the face's tracks in which only others are heard. */
  readonly tracksWithOthers: number;
  /** Share of the face's tracks that end together with a turn of the speaker. */
  readonly endTogether: number;
  /** Seconds in which others speak while the face is visible, as a share of its visible seconds. */
  readonly othersHeard: number;
  /**
   * How much the face talks while the speaker speaks: seconds relative to the minimum that a pair must be together, at
   * most 1; 0 for faces without talking scores.
   */
  readonly seenToTalk: number;
  /** Logarithm of the number of faces to choose from. */
  readonly faces: number;
  /**
   * Logarithms of the seconds in which the face is visible, and of the mean length of its tracks; 0 for faces with
   * talking scores, whose links they do not improve.
   */
  readonly visible: number;
  readonly trackLength: number;
}

const log = (amount: number): number => Math.log(Math.max(0, amount) + 0.5);

/** The features of every pair. `possible` is 1 for allowed pairs, else 0. */
export const featuresOf = (
  timeline: Timeline,
  counts: CoPresence,
  possible: Matrix,
): ((speaker: number, face: number) => PairFeatures) => {
  const ofFace = shareLogOdds(speechCredit(timeline, counts.facesIn, possible));
  const conversation = conversationOf(timeline);
  const ends = endsTogether(timeline);
  const heard = columnSums(counts.together);
  const count = Math.log(Math.max(1, timeline.presences.length));
  const faces = timeline.presences.map(({ visible, scored }) => {
    const [seconds, tracks] = [totalSeconds(visible), Math.max(1, visible.starts.length)];
    return { seconds, tracks, lengths: scored ? [0, 0] : [log(seconds), log(seconds / tracks)] };
  });
  return (speaker, face) => {
    const { seconds = 1, tracks = 1, lengths: [visible = 0, trackLength = 0] = [] } = faces[face] ?? {};
    const together = at(counts.together, speaker, face);
    const talking = together * (talkingAgreement(timeline, counts, speaker, face) ?? 0);
    return {
      creditOfFace: at(ofFace, speaker, face),
      speaking: log(timeline.speaking[speaker] ?? 0),
      turnsSeen: log(at(counts.turnsSeen, speaker, face)),
      tracksHeard: log(at(counts.tracksHeard, speaker, face)),
      conversation: log(at(conversation, speaker, face)),
      tracksWithSpeaker: log(at(counts.tracksWithSpeaker, speaker, face)),
      tracksWithOthers: log(at(counts.tracksWithOthers, speaker, face)),
      endTogether: at(ends, speaker, face) / tracks,
      othersHeard: ((heard[face] ?? 0) - together) / seconds,
      seenToTalk: Math.min(1, Math.max(0, talking) / minSecondsTogether),
      faces: count,
      visible,
      trackLength,
    };
  };
};
