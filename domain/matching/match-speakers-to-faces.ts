import type { FaceId, SpeakerId } from '../kernel/ids.js';
import type { Interval } from '../kernel/interval.js';
import type { JsonObject } from '../kernel/recorded-event.js';
import type { Link } from './assignment.js';
import { otherNameIn } from './caption-channel.js';
import { type Decided, decidedPairs, nothingDecided, openPairs } from './decided.js';
import type { Model } from './likelihood.js';
import { type NamedPair, namedPairs } from './named-pairs.js';
import { publicClipsModel } from './public-clips-model.js';
import { coOccurrenceInSync, type Synchronised } from './synchronised.js';
import { type Unmatched, type UnmatchedReason, whyUnmatched } from './unmatched-reason.js';
import { at, type Matrix } from './matrix.js';
import { totalSeconds } from './stretches.js';
import { talkingAgreement } from './co-presence.js';

/** Rounds to three decimals and avoids negative zero. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000 + 0;

const runnerUp = (accuracies: Matrix, { row, column }: Link): Link | null => {
  let best = -1;
  for (let other = 0; other < accuracies.columns; other += 1)
    if (other !== column && at(accuracies, row, other) > (best < 0 ? 0 : at(accuracies, row, best))) best = other;
  return best < 0 ? null : { row, column: best };
};

/** The evidence of a match: seconds, the mean talking score while the speaker speaks, and the second-best face. */
const evidenceOf = (
  link: Link,
  { timeline, found: { counts, accuracies }, offset }: Synchronised,
  faces: readonly { readonly face_id: FaceId }[],
): { readonly accuracy: number; readonly evidence: JsonObject } => {
  const { row, column } = link;
  const together = at(counts.together, row, column);
  const presence = timeline.presences[column];
  const agreement = talkingAgreement(timeline, counts, row, column);
  const next = runnerUp(accuracies, link);
  const face = next === null ? undefined : faces[next.column];
  return {
    accuracy: rounded(at(accuracies, row, column)),
    evidence: {
      seconds_together: rounded(together),
      seconds_apart: rounded((timeline.speaking[row] ?? 0) - together),
      seconds_speaking: rounded(timeline.speaking[row] ?? 0),
      seconds_visible: rounded(presence === undefined ? 0 : totalSeconds(presence.visible)),
      talking_agreement: agreement === null ? null : rounded(agreement),
      time_offset: offset,
      runner_up:
        next === null || face === undefined
          ? null
          : { face_id: face.face_id, accuracy: rounded(at(accuracies, row, next.column)) },
    },
  };
};

/** A face with the times when it is visible and its talking scores from 0 to 1, if any. */
export interface FaceTrack {
  readonly face_id: FaceId;
  readonly name: string | null;
  readonly tracks: readonly Interval[];
  readonly talking: readonly { readonly start: number; readonly end: number; readonly score: number }[];
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

/** Converts a link to a reported match. */
const proposed = (
  link: Link,
  named: NamedPair | undefined,
  isConfirmed: boolean,
  found: Synchronised,
  faces: readonly FaceTrack[],
  speakers: readonly SpeakerTurns[],
): readonly ProposedMatch[] => {
  const [speaker, face] = [speakers[link.row], faces[link.column]];
  if (speaker === undefined || face === undefined) return [];
  const { accuracy, evidence: basis } = evidenceOf(link, found, faces);
  const contradicting_caption = otherNameIn(face.captions, speaker.name);
  const evidence = contradicting_caption === null ? basis : { ...basis, contradicting_caption };
  const pair = { face_id: face.face_id, speaker_id: speaker.speaker_id };
  if (isConfirmed)
    return [{ ...pair, accuracy: 1, channel: 'co_occurrence', evidence: { decision: 'confirmed', ...evidence } }];
  return named === undefined
    ? [{ ...pair, accuracy, channel: 'co_occurrence', evidence }]
    : [{ ...pair, accuracy: named.accuracy, channel: 'name', evidence: { ...named.evidence, ...evidence } }];
};

const explained = (
  speaker_id: SpeakerId,
  { reason, nobody, rivals }: Unmatched,
  faces: readonly FaceTrack[],
  matches: readonly ProposedMatch[],
): UnmatchedSpeaker => {
  const unmatched = { speaker_id, reason, nobody: rounded(nobody) };
  if (reason !== 'ambiguous') return unmatched;
  const speakerOf = new Map(matches.map((match) => [match.face_id, match.speaker_id]));
  const candidates = rivals.flatMap(({ column, chance }): readonly CandidateFace[] => {
    const face_id = faces[column]?.face_id;
    if (face_id === undefined) return [];
    return [{ face_id, accuracy: rounded(chance), matched_speaker_id: speakerOf.get(face_id) ?? null }];
  });
  return { ...unmatched, candidates };
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
  const confirmed = new Set(decided.confirmed.map(({ row }) => row));
  const named = namedPairs(faces, speakers).filter(({ row, column }) => decided.isFree(row, column));
  const possible = openPairs(speakers.length, faces.length, decided, named);
  const found = coOccurrenceInSync(speakers, faces, possible, model);
  const byName = new Map(named.map((pair) => [pair.row, pair]));
  const links = [
    ...decided.confirmed,
    ...named,
    ...found.found.links.filter(({ row }) => !byName.has(row) && !confirmed.has(row)),
  ];
  const matches = links
    .flatMap((link) => proposed(link, byName.get(link.row), confirmed.has(link.row), found, faces, speakers))
    .filter(({ speaker_id }) => targets.has(speaker_id))
    .sort((a, b) => a.speaker_id - b.speaker_id);
  const matchedSpeakers = new Set(matches.map(({ speaker_id }) => speaker_id));
  const matchedFaces = new Set(matches.map(({ face_id }) => face_id));
  return {
    matches,
    unmatched_speakers: speakers.flatMap(({ speaker_id }, row) =>
      !targets.has(speaker_id) || matchedSpeakers.has(speaker_id)
        ? []
        : [
            decided.isUnseen(row)
              ? { speaker_id, reason: 'decided_not_seen' as const }
              : explained(speaker_id, whyUnmatched(row, found, model), faces, matches),
          ],
    ),
    unmatched_faces: faces.map(({ face_id }) => face_id).filter((face_id) => !matchedFaces.has(face_id)),
  };
};
