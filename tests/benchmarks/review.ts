import { publicClipsModel } from '../../domain/matching/model.js';
import { sets } from './matching/clips.js';
import { conditions } from './matching/conditions.js';
import { allSamples, crossValidated } from './matching/cross-validation.js';
import { beginCase, byAccuracy, byGain, type Curve } from './review/reviewers.js';
import { quick } from './support/figures.js';

// The cost of a review: `npm run bench:review [-- <folder of the clips>]`. A person who knows the public clips answers
// one question after the other: how many decisions it takes, as a share of deciding on every speaker, until 99 % of the
// links are right. Right is the speaker's face, or none where nobody is seen. Each film is matched by a model that was fitted and calibrated on others.
// `--quick`: two shipped clips, with the model that is shipped.

const wanted = ['V', 'T20', 'T40'];

const reviewers: readonly { readonly name: string; readonly review: typeof byGain }[] = [
  { name: 'by accuracy', review: byAccuracy },
  { name: 'ours', review: byGain },
];

const line = (cells: readonly string[]): string => cells.map((cell) => cell.padEnd(14)).join(' ');

/** The share of speakers that are decided on until 99 % of the links are right. */
const shareOf = (curve: Curve, speakers: number): string => {
  const enough = curve.findIndex((wrong) => wrong <= speakers / 100);
  return enough < 0 ? 'never' : `${((100 * enough) / speakers).toFixed(1)} %`;
};

const samples = allSamples(conditions.filter(({ name }) => wanted.includes(name)));
const models = quick ? null : crossValidated(samples).models;

console.log(line(['set', 'condition', 'reviewer', 'to 99 %']));
for (const { name } of sets)
  for (const condition of wanted) {
    const cases = samples
      .filter((sample) => sample.set === name && sample.condition.name === condition)
      .map(({ trial, fold }) => beginCase(trial, models?.[fold] ?? publicClipsModel));
    const speakers = cases.reduce((sum, { trial }) => sum + trial.input.speakers.length, 0);
    for (const reviewer of reviewers)
      console.log(line([name, condition, reviewer.name, shareOf(reviewer.review(cases), speakers)]));
  }
