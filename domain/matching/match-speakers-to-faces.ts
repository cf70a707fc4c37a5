import type { FaceId, SpeakerId } from '../kernel/ids.js';
import type { Interval } from '../kernel/interval.js';
import type { JsonObject } from '../kernel/recorded-event.js';
import type { Link } from './assignment.js';
import { captionMatchAccuracy, matchByCaption, otherNameIn } from './caption-channel.js';
import { coOccurrenceInSync, type Synchronised } from './co-occurrence.js';
import { type Decided, decidedPairs, nothingDecided, possiblePairs } from './decided.js';
import { totalSeconds } from './intervals.js';
import { at, type Matrix } from './matrix.js';
import { logit, type Model, publicClipsModel, seenUnmatched, surest, type UnmatchedFeatures } from './model.js';
import { matchByName, nameMatchAccuracy } from './name-channel.js';
import { talkingAgreement } from './pair-features.js';
import type { TalkingScore } from './timeline.js';

/** A face with the times when it is visible and its talking scores from 0 to 1, if any. */
export interface FaceTrack {
  readonly face_id: FaceId;
  readonly name: string | null;
  readonly tracks: readonly Interval[];
  readonly talking: readonly TalkingScore[];
  readonly captions: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

export interface SpeakerTurns {
  readonly speaker_id: SpeakerId;
  readonly name: string | null;
  readonly turns: readonly Interval[];
}

/** Face ids and speaker ids are unique. `target_speaker_ids` null: all speakers. */
export interface MatchInput {
  readonly faces: readonly FaceTrack[];
  readonly speakers: readonly SpeakerTurns[];
  readonly target_speaker_ids: readonly SpeakerId[] | null;
  /** Absent: no decisions. */
  readonly decided?: Decided;
}

/** `accuracy`: probability that the match is right, as measured on public clips with known answers. */
export interface ProposedMatch {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number;
  readonly channel: 'name' | 'co_occurrence';
  readonly evidence: JsonObject;
}

/** A candidate face of an unmatched speaker. */
export interface CandidateFace {
  readonly face_id: FaceId;
  /** Probability that it is the speaker's, ignoring competition. The rest to 1 is the probability of no face. */
  readonly accuracy: number;
  /** The speaker that the face is matched to instead, if reported. */
  readonly matched_speaker_id: SpeakerId | null;
}

/**
 * Why a speaker got no face. `too_little_speech`: less than a second of speech. `ambiguous`: the probability that one
 * of the faces is theirs is at least a quarter, but no face is likely enough, or a better pair took it, as happens to
 * the second half of a speaker split by the diarisation. `off_screen`: probably never visible.
 */
type UnmatchedReason = 'off_screen' | 'ambiguous' | 'too_little_speech';

export interface UnmatchedSpeaker {
  readonly speaker_id: SpeakerId;
  readonly reason: UnmatchedReason | 'decided_not_seen';
  /** Probability that the speaker is not visible; absent if a person decided it. */
  readonly nobody?: number;
  /** The likeliest faces of an `ambiguous` speaker. */
  readonly candidates?: readonly CandidateFace[];
}

export interface MatchResult {
  readonly matches: readonly ProposedMatch[];
  readonly unmatched_speakers: readonly UnmatchedSpeaker[];
  readonly unmatched_faces: readonly FaceId[];
}

/** Rounds to three decimals, halves up whatever rounding errors they have, and avoids negative zero. */
const rounded = (value: number): number => Math.round(value * 1000 + 1e-6) / 1000 + 0;

/** The second-best face of a linked speaker, if there is another that is possible. */
const runnerUp = (accuracies: Matrix, { row, column }: Link, faces: readonly FaceTrack[]): JsonObject | null => {
  const best = faces
    .map(({ face_id }, other) => ({ face_id, accuracy: other === column ? 0 : at(accuracies, row, other) }))
    .reduce((one, other) => (other.accuracy > one.accuracy ? other : one));
  return best.accuracy > 0 ? { face_id: best.face_id, accuracy: rounded(best.accuracy) } : null;
};

/** A speaker (row) and a face (column) that names or a person's decision matched. */
interface FixedPair extends Link {
  readonly channel: ProposedMatch['channel'];
  readonly accuracy: number;
  readonly evidence: JsonObject;
}

/** Pairs with equal names, followed by faces without a name whose captions name a speaker. */
const namedPairs = (faces: readonly FaceTrack[], speakers: readonly SpeakerTurns[]): readonly FixedPair[] => [
  ...matchByName(faces, speakers).map((link) => ({
    ...link,
    channel: 'name' as const,
    accuracy: nameMatchAccuracy,
    evidence: { equal_name: faces[link.column]?.name ?? null },
  })),
  ...matchByCaption(faces, speakers).map(({ row, column, caption }) => ({
    row,
    column,
    channel: 'name' as const,
    accuracy: captionMatchAccuracy,
    evidence: { caption },
  })),
];

/**
 * Converts a link to a reported match with its evidence: seconds, the mean talking score while the speaker speaks, the
 * second-best face, and what names or a person said if they made the link.
 */
const proposed = (
  link: Link | FixedPair,
  { timeline, found: { counts, accuracies }, offset }: Synchronised,
  faces: readonly FaceTrack[],
  speakers: readonly SpeakerTurns[],
): readonly ProposedMatch[] => {
  const { row, column } = link;
  const [speaker, face] = [speakers[row], faces[column]];
  const presence = timeline.presences[column];
  if (speaker === undefined || face === undefined || presence === undefined) return [];
  const together = at(counts.together, row, column);
  const speaking = timeline.speaking[row] ?? 0;
  const agreement = talkingAgreement(timeline, counts, row, column);
  const contradicting_caption = otherNameIn(face.captions, speaker.name);
  const fixed = 'evidence' in link ? link : null;
  return [
    {
      face_id: face.face_id,
      speaker_id: speaker.speaker_id,
      accuracy: fixed?.accuracy ?? rounded(at(accuracies, row, column)),
      channel: fixed?.channel ?? 'co_occurrence',
      evidence: {
        ...fixed?.evidence,
        seconds_together: rounded(together),
        seconds_apart: rounded(speaking - together),
        seconds_speaking: rounded(speaking),
        seconds_visible: rounded(totalSeconds(presence.visible)),
        talking_agreement: agreement === null ? null : rounded(agreement),
        time_offset: offset,
        runner_up: runnerUp(accuracies, link, faces),
        ...(contradicting_caption === null ? {} : { contradicting_caption }),
      },
    },
  ];
};

const enoughSpeech = 1;
const fairChance = 0.25;
const maxCandidates = 5;

/** The probability of each face, ignoring competition. */
const chancesOf = (row: number, alone: Matrix): readonly number[] => {
  const odds = Array.from({ length: alone.columns }, (_, column) => Math.exp(Math.min(100, at(alone, row, column))));
  const total = odds.reduce((sum, own) => sum + own, 1);
  return odds.map((own) => own / total);
};

const sumOf = (chances: readonly number[]): number => chances.reduce((sum, chance) => sum + chance, 0);

/** Log odds, clamped to a range in which they are meaningful. */
const bounded = (probability: number): number => logit(Math.min(0.999, Math.max(0.001, probability)));

/** The features that predict whether a speaker without a link is visible. */
export const unmatchedFeatures = (
  row: number,
  { timeline, found: { alone, accuracies } }: Pick<Synchronised, 'timeline' | 'found'>,
): UnmatchedFeatures => ({
  anyFace: bounded(sumOf(chancesOf(row, alone))),
  bestLink: bounded(
    accuracies.cells
      .subarray(row * accuracies.columns, (row + 1) * accuracies.columns)
      .reduce((best, accuracy) => Math.max(best, accuracy), 0),
  ),
  speaking: Math.log(1 + (timeline.speaking[row] ?? 0)),
});

/** Explains why a speaker has no link. `speakerOf`: the speakers of the faces that are matched. */
const whyUnmatched = (
  row: number,
  found: Synchronised,
  model: Model,
  faces: readonly FaceTrack[],
  speakerOf: ReadonlyMap<FaceId, SpeakerId>,
): Omit<UnmatchedSpeaker, 'speaker_id'> => {
  const nobody = rounded(Math.min(surest, 1 - seenUnmatched(unmatchedFeatures(row, found), model)));
  if ((found.timeline.speaking[row] ?? 0) < enoughSpeech) return { reason: 'too_little_speech', nobody };
  const chances = chancesOf(row, found.found.alone);
  if (sumOf(chances) < fairChance) return { reason: 'off_screen', nobody };
  const candidates = faces
    .map(({ face_id }, column) => ({ face_id, accuracy: chances[column] ?? 0 }))
    .filter(({ accuracy }) => accuracy > 0)
    .sort((a, b) => b.accuracy - a.accuracy)
    .slice(0, maxCandidates)
    .map(({ face_id, accuracy }) => ({
      face_id,
      accuracy: rounded(accuracy),
      matched_speaker_id: speakerOf.get(face_id) ?? null,
    }));
  return { reason: 'ambiguous', nobody, candidates };
};

/**
 * Matches faces to speakers, at most one to one. People's decisions are kept; then equal real names decide; the rest is
 * matched by when they speak and are visible, or to nobody. Speakers that are not targets compete for faces like the
 * others, so that a target never gets a face that is more likely another speaker's. They are not reported: a face won
 * by such a speaker is listed as unmatched. The result does not depend on the order of the input.
 */
export const matchSpeakersToFaces = (input: MatchInput, model: Model = publicClipsModel): MatchResult => {
  const faces = [...input.faces].sort((a, b) => a.face_id - b.face_id);
  const speakers = [...input.speakers].sort((a, b) => a.speaker_id - b.speaker_id);
  const targets = new Set(input.target_speaker_ids ?? speakers.map(({ speaker_id }) => speaker_id));
  const decided = decidedPairs(input.decided ?? nothingDecided, speakers, faces);
  const confirmed = decided.confirmed.map((link): FixedPair => ({
    ...link,
    channel: 'co_occurrence',
    accuracy: 1,
    evidence: { decision: 'confirmed' },
  }));
  const named = namedPairs(faces, speakers).filter(({ row, column }) => decided.isFree(row, column));
  const fixed = [...confirmed, ...named];
  const fixedRows = new Set(fixed.map(({ row }) => row));
  const possible = possiblePairs(speakers.length, faces.length, decided, named);
  const found = coOccurrenceInSync(speakers, faces, possible, model);
  const matches = [...fixed, ...found.found.links.filter(({ row }) => !fixedRows.has(row))]
    .flatMap((link) => proposed(link, found, faces, speakers))
    .filter(({ speaker_id }) => targets.has(speaker_id))
    .sort((a, b) => a.speaker_id - b.speaker_id);
  const faceOf = new Map(matches.map(({ face_id, speaker_id }) => [speaker_id, face_id]));
  const speakerOf = new Map(matches.map(({ face_id, speaker_id }) => [face_id, speaker_id]));
  return {
    matches,
    unmatched_speakers: speakers.flatMap(({ speaker_id }, row): readonly UnmatchedSpeaker[] => {
      if (!targets.has(speaker_id) || faceOf.has(speaker_id)) return [];
      if (decided.isUnseen(row)) return [{ speaker_id, reason: 'decided_not_seen' }];
      return [{ speaker_id, ...whyUnmatched(row, found, model, faces, speakerOf) }];
    }),
    unmatched_faces: faces.map(({ face_id }) => face_id).filter((face_id) => !speakerOf.has(face_id)),
  };
};
