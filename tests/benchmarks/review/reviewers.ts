import type { FaceId } from '../../../domain/kernel/ids.js';
import { answerFor, answered, bestQuestion, type Case, linksOf, wrongIn } from './case.js';

/** The number of wrong links before the first decision, and after each. */
export type Curve = readonly number[];

const wrongOf = (one: Case): number => wrongIn(one.trial, linksOf(one));

const startOf = (cases: readonly Case[]): number => cases.reduce((sum, one) => sum + wrongOf(one), 0);

/** Asks the most valuable question of all clips, and uses every answer for the clip's other speakers. */
export const byGain = (cases: readonly Case[]): Curve => {
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
export const byAccuracy = (cases: readonly Case[]): Curve => {
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
