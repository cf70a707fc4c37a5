import type { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import { type Decided, nothingDecided } from '../../domain/matching/decided.js';
import { matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { type Model, publicClipsModel } from '../../domain/matching/model.js';
import { linkQuestions } from '../../domain/review/link-questions.js';
import type { SuggestionBlock } from '../../domain/video/write-back.js';
import { sets } from './matching/clips.js';
import { type Trial, conditions } from './matching/trials.js';
import { allSamples, crossValidated } from './matching/fitting.js';
import { quick } from './support/figures.js';

/** A face for each speaker; null where nobody is seen. */
type Links = ReadonlyMap<SpeakerId, FaceId | null>;

type Block = Pick<SuggestionBlock, 'mappings' | 'unmatched_speakers'>;

/** A clip under review, with the result of a run that knows the decisions so far. */
interface Case {
  readonly trial: Trial;
  readonly model: Model;
  readonly decided: Decided;
  readonly block: Block;
}

const blockOf = ({ input }: Trial, model: Model, decided: Decided): Block => {
  const { matches, unmatched_speakers } = matchSpeakersToFaces({ ...input, decided }, model);
  const confirmed = new Set(decided.confirmed.map(({ speaker_id }) => speaker_id));
  const mappings = matches.map((match) => ({
    ...match,
    name: null,
    accuracy: confirmed.has(match.speaker_id) ? null : match.accuracy,
  }));
  return { mappings, unmatched_speakers };
};

const beginCase = (trial: Trial, model: Model): Case => ({
  trial,
  model,
  decided: nothingDecided,
  block: blockOf(trial, model, nothingDecided),
});

/** The links that the block proposes. */
const linksOf = ({ trial: { input }, block: { mappings } }: Case): Links => {
  const faceOf = new Map(mappings.map(({ speaker_id, face_id }) => [speaker_id, face_id]));
  return new Map(input.speakers.map(({ speaker_id }) => [speaker_id, faceOf.get(speaker_id) ?? null]));
};

/** The number of speakers without their face, or with one although they are never visible. */
const wrongIn = ({ input, truth }: Trial, links: Links): number => {
  const speakerOf = new Map([...links].flatMap(([speaker, face]) => (face === null ? [] : [[face, speaker] as const])));
  const isTakenRightly = (face: FaceId): boolean => {
    const speaker = speakerOf.get(face);
    return speaker !== undefined && truth.verdict(face, speaker) === 'right';
  };
  return [...links].filter(([speaker, face]) => {
    if (face !== null) return truth.verdict(face, speaker) === 'wrong';
    // A face that has another of its speakers, as where the diarisation split one, is not missing.
    return input.faces.some(({ face_id }) => truth.verdict(face_id, speaker) === 'right' && !isTakenRightly(face_id));
  }).length;
};

/** The answer of a person who knows the clip: the speaker's face, or null. */
const answerFor = ({ input, truth }: Trial, speaker: SpeakerId, taken: ReadonlySet<FaceId>): FaceId | null =>
  input.faces.find(({ face_id }) => truth.verdict(face_id, speaker) === 'right' && !taken.has(face_id))?.face_id ??
  null;

/** The most valuable question of the clip; null if there is none. */
const bestQuestion = ({ trial: { input }, block, decided }: Case) => {
  const faces = new Set(input.faces.map(({ face_id }) => face_id));
  return linkQuestions(block, faces, decided).reduce<ReturnType<typeof linkQuestions>[number] | null>(
    (best, question) => (best === null || question.gain > best.gain ? question : best),
    null,
  );
};

/** The clip once a person has answered who a speaker is. */
const answered = ({ trial, model, decided }: Case, speaker_id: SpeakerId): Case => {
  const face_id = answerFor(trial, speaker_id, new Set(decided.confirmed.map((pair) => pair.face_id)));
  const facts: Decided =
    face_id === null
      ? { ...decided, unseen: [...decided.unseen, speaker_id] }
      : { ...decided, confirmed: [...decided.confirmed, { face_id, speaker_id }] };
  return { trial, model, decided: facts, block: blockOf(trial, model, facts) };
};

/** The number of wrong links before the first decision, and after each. */
type Curve = readonly number[];

const wrongOf = (one: Case): number => wrongIn(one.trial, linksOf(one));

const startOf = (cases: readonly Case[]): number => cases.reduce((sum, one) => sum + wrongOf(one), 0);

/** Asks the most valuable question of all clips, and uses every answer for the clip's other speakers. */
const byGain = (cases: readonly Case[]): Curve => {
  const open = cases.map((one) => ({ one, question: bestQuestion(one) }));
  const curve = [startOf(cases)];
  for (;;) {
    const next = open.reduce<(typeof open)[number] | null>(
      (best, other) => ((other.question?.gain ?? 0) > (best?.question?.gain ?? 0) ? other : best),
      null,
    );
    if (next === null || next.question === null) return curve;
    const before = wrongOf(next.one);
    next.one = answered(next.one, next.question.speaker_id);
    next.question = bestQuestion(next.one);
    curve.push((curve.at(-1) ?? 0) + wrongOf(next.one) - before);
  }
};

/** Asks about every speaker once, the lowest accuracy first; one without a face has none. An answer affects only its speaker. */
const byAccuracy = (cases: readonly Case[]): Curve => {
  const links = cases.map((one) => new Map(linksOf(one)));
  const taken = cases.map(() => new Set<FaceId>());
  const curve = [startOf(cases)];
  const speakers = cases.flatMap(({ trial: { input }, block }, clip) => {
    const accuracyOf = new Map(block.mappings.map(({ speaker_id, accuracy }) => [speaker_id, accuracy]));
    return input.speakers.map(({ speaker_id }) => ({ clip, speaker_id, accuracy: accuracyOf.get(speaker_id) ?? 0 }));
  });
  for (const { clip, speaker_id } of speakers.toSorted((a, b) => a.accuracy - b.accuracy || a.clip - b.clip)) {
    const [one, own, faces] = [cases[clip], links[clip], taken[clip]];
    if (one === undefined || own === undefined || faces === undefined) continue;
    const before = wrongIn(one.trial, own);
    const face = answerFor(one.trial, speaker_id, faces);
    if (face !== null) faces.add(face);
    own.set(speaker_id, face);
    curve.push((curve.at(-1) ?? 0) + wrongIn(one.trial, own) - before);
  }
  return curve;
};

// The cost of a review: `npm run bench:review [-- <folder of the clips>]`. A person who knows the public clips answers
// one question after the other: how many decisions it takes, as a share of deciding on every speaker, until 99 % of the
// links are right. Right is the speaker's face, or none where nobody is seen. Each film is matched by a model that was fitted and calibrated on others.
// `--quick`: two shipped clips, with the model that is shipped.

const wanted = ['V', 'T20', 'T40'];

const reviewers: readonly { readonly name: string; readonly review: typeof byGain }[] = [
  { name: 'by accuracy', review: byAccuracy },
  { name: 'ours', review: byGain },
];

/** The share of speakers that are decided on until 99 % of the links are right. */
const shareOf = (curve: Curve, speakers: number): string => {
  const enough = curve.findIndex((wrong) => wrong <= speakers / 100);
  return enough < 0 ? 'never' : `${((100 * enough) / speakers).toFixed(1)} %`;
};

const samples = allSamples(conditions.filter(({ name }) => wanted.includes(name)));
const models = quick ? null : crossValidated(samples).models;

console.table(
  sets.flatMap(({ name }) =>
    wanted.flatMap((condition) => {
      const cases = samples
        .filter((sample) => sample.set === name && sample.condition.name === condition)
        .map(({ trial, fold }) => beginCase(trial, models?.[fold] ?? publicClipsModel));
      const speakers = cases.reduce((sum, { trial }) => sum + trial.input.speakers.length, 0);
      return reviewers.map(({ name: reviewer, review }) => ({
        set: name,
        condition,
        reviewer,
        'to 99 %': shareOf(review(cases), speakers),
      }));
    }),
  ),
);
