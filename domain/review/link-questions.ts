import * as t from 'io-ts';
import { FaceId, type SpeakerId } from '../kernel/ids.js';
import type { JsonObject } from '../kernel/recorded-event.js';
import type { Decided } from '../matching/decided.js';
import { Accuracy } from '../video/changes.js';
import type { SuggestionBlock } from '../video/write-back.js';

/** A candidate face with the probability that it is the speaker's. */
export interface CandidateFace {
  readonly face_id: FaceId;
  readonly accuracy: number;
}

/** The question which face is a speaker's. `nobody`: the probability that the speaker is not visible. */
export interface LinkQuestion {
  readonly speaker_id: SpeakerId;
  /** At most five, the likeliest first. Together with `nobody` the probabilities sum to at most 1. */
  readonly candidates: ReadonlyArray<CandidateFace>;
  readonly nobody: number;
  /** Expected number of additional correct links once it is answered, including links that follow from the answer. */
  readonly gain: number;
  readonly evidence: JsonObject;
}

/** The results of a run about the speakers. */
type Proposed = Pick<SuggestionBlock, 'mappings' | 'unmatched_speakers'>;

interface Chances {
  readonly speaker_id: SpeakerId;
  readonly faces: ReadonlyMap<FaceId, number>;
  readonly nobody: number;
  readonly evidence: JsonObject;
}

const RunnerUp = t.type({ face_id: FaceId, accuracy: Accuracy });

const maxCandidates = 5;
/** How many speakers competing for a face are considered. More hardly change the gain. */
const maxRivals = 50;

/** Probability that an unmatched speaker is not visible, by reason, if the worker gives none. */
const unseen: ReadonlyMap<string, number> = new Map([
  ['off_screen', 0.9],
  ['too_little_speech', 0.6],
]);
const unseenOtherwise = 0.5;

const rounded = (value: number): number => Math.round(value * 1_000_000) / 1_000_000;

/** The second-best face, if the evidence contains it in the embedded matcher's form. */
const runnerUpIn = ({ runner_up }: JsonObject): CandidateFace | null => (RunnerUp.is(runner_up) ? runner_up : null);

/** The probabilities of each speaker, independent of other speakers: of the faces that the run named. */
const chancesIn = ({ mappings, unmatched_speakers }: Proposed): ReadonlyArray<Chances> => [
  ...mappings.flatMap(({ face_id, speaker_id, accuracy, evidence }): ReadonlyArray<Chances> => {
    if (accuracy === null) return [];
    const next = runnerUpIn(evidence);
    const left = 1 - accuracy;
    const faces = new Map([[face_id, accuracy]]);
    if (next !== null && next.face_id !== face_id) faces.set(next.face_id, Math.min(next.accuracy, left));
    return [{ speaker_id, faces, nobody: Math.max(0, 1 - sumOf(faces)), evidence }];
  }),
  ...unmatched_speakers.map(({ speaker_id, reason, candidates = [], nobody: known }): Chances => {
    const faces = new Map(candidates.map(({ face_id, accuracy }) => [face_id, accuracy]));
    const named = sumOf(faces);
    const guessed = faces.size === 0 ? (unseen.get(reason) ?? unseenOtherwise) : Math.max(0, 1 - named);
    const nobody = known ?? guessed;
    const scale = named > 1 - nobody ? (1 - nobody) / named : 1;
    return {
      speaker_id,
      faces: new Map([...faces].map(([face_id, accuracy]) => [face_id, accuracy * scale])),
      nobody,
      evidence: { reason },
    };
  }),
];

const sumOf = (faces: ReadonlyMap<FaceId, number>): number =>
  [...faces.values()].reduce((sum, accuracy) => sum + accuracy, 0);

/** Excludes faces. Their probability is distributed over the others in proportion. */
const without = (chances: Chances, isExcluded: (face_id: FaceId) => boolean): Chances => {
  const left = new Map([...chances.faces].filter(([face_id]) => !isExcluded(face_id)));
  if (left.size === chances.faces.size) return chances;
  const before = sumOf(chances.faces) + chances.nobody;
  const after = sumOf(left) + chances.nobody;
  if (after === 0) return { ...chances, faces: left, nobody: before };
  // Divide first: `before / after` is infinite if almost nothing is left.
  const share = (odds: number): number => (odds / after) * before;
  return {
    ...chances,
    faces: new Map([...left].map(([face_id, accuracy]) => [face_id, share(accuracy)])),
    nobody: share(chances.nobody),
  };
};

/** The probability of the best guess about a speaker. */
const bestOf = ({ faces, nobody }: Chances): number => Math.max(nobody, ...faces.values());

/** Expected improvement of the best guess about a rival once the speaker's face is known. */
const expectedImprovement = (asked: Chances, rival: Chances): number => {
  const shared = [...asked.faces].filter(([face_id]) => rival.faces.has(face_id));
  const now = bestOf(rival);
  const better = shared.reduce(
    (sum, [face_id, accuracy]) => sum + accuracy * (bestOf(without(rival, (face) => face === face_id)) - now),
    0,
  );
  return Math.max(0, better);
};

/** The probabilities of all undecided speakers, given the decisions about others. */
const openChances = (
  block: Proposed,
  faces: ReadonlySet<FaceId>,
  { confirmed, unseen: hidden, rejected }: Decided,
): ReadonlyArray<Chances> => {
  const decidedSpeakers = new Set([...confirmed.map(({ speaker_id }) => speaker_id), ...hidden]);
  const taken = new Set(confirmed.map(({ face_id }) => face_id));
  const refused = new Set(rejected.map(({ face_id, speaker_id }) => `${speaker_id}/${face_id}`));
  return chancesIn(block)
    .filter(({ speaker_id }) => !decidedSpeakers.has(speaker_id))
    .map((chances) =>
      without(
        chances,
        (face_id) => !faces.has(face_id) || taken.has(face_id) || refused.has(`${chances.speaker_id}/${face_id}`),
      ),
    );
};

/**
 * The open questions about a video's links, unordered. Probabilities come from the last run's block and are adjusted to
 * decisions made since: a face assigned to another speaker is no candidate any more. The gain considers speakers in
 * pairs only and is therefore an estimate.
 */
export const linkQuestions = (
  block: Proposed,
  faces: ReadonlySet<FaceId>,
  decided: Decided,
): ReadonlyArray<LinkQuestion> => {
  const open = openChances(block, faces, decided);
  const rivals = new Map<FaceId, Chances[]>();
  for (const chances of open)
    for (const face_id of chances.faces.keys()) {
      const wanting = rivals.get(face_id);
      if (wanting === undefined) rivals.set(face_id, [chances]);
      else if (wanting.length < maxRivals) wanting.push(chances);
    }
  return open.flatMap((asked): ReadonlyArray<LinkQuestion> => {
    const others = new Set([...asked.faces.keys()].flatMap((face_id) => rivals.get(face_id) ?? []));
    others.delete(asked);
    const gain = [...others].reduce((sum, rival) => sum + expectedImprovement(asked, rival), 1 - bestOf(asked));
    const candidates = [...asked.faces]
      .map(([face_id, accuracy]) => ({ face_id, accuracy: rounded(accuracy) }))
      .sort((one, other) => other.accuracy - one.accuracy || one.face_id - other.face_id)
      .slice(0, maxCandidates);
    const { speaker_id, evidence } = asked;
    const seen = candidates.reduce((sum, { accuracy }) => sum + accuracy, 0);
    const nobody = rounded(Math.max(0, Math.min(asked.nobody, 1 - seen)));
    return rounded(gain) <= 0 ? [] : [{ speaker_id, candidates, nobody, gain: rounded(gain), evidence }];
  });
};
