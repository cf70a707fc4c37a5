import type { Model } from '../../domain/matching/model.js';
import { sets } from './matching/clips.js';
import { conditions } from './matching/conditions.js';
import { allSamples, crossValidated } from './matching/cross-validation.js';
import { linksBy } from './matching/fitting.js';
import { scoreHeader, scoreLine, type ProposedFor, type Score, scoreOf } from './matching/scoring.js';

/**
 * Fits the model of `domain/matching` on the public clips, and measures it on films that it was not fitted on.
 * Argument: the folder of the clips.
 */
const samples = allSamples(conditions);
process.stderr.write(`${samples.length} trials read, making features\n`);
const { models, fittedOnAll } = crossValidated(samples);

/** The links of a condition, each trial by the model and calibration that were not fitted on its film. */
const unseenLinks = (
  set: string,
  condition: string,
  changed: (model: Model) => Model = (model) => model,
): readonly ProposedFor[] =>
  samples
    .filter((s) => s.set === set && s.condition.name === condition)
    .map(({ trial, fold }) => {
      const model = models[fold];
      return { truth: trial.truth, proposed: model === undefined ? [] : linksBy(changed(model), trial) };
    });

const unseenScore = (...which: Parameters<typeof unseenLinks>): Score => scoreOf(unseenLinks(...which));

console.log('On films left out of the fit:');
console.log(scoreHeader);
for (const { name } of sets)
  for (const condition of conditions)
    console.log(scoreLine(name, condition.name, 'ours', unseenScore(name, condition.name)));

console.log('By the least accuracy of a link:');
for (const { name } of sets)
  for (const condition of ['V', 'T20'])
    for (const acceptedFrom of [0.35, 0.4, 0.45, 0.5, 0.55, 0.6])
      console.log(
        scoreLine(
          name,
          condition,
          String(acceptedFrom),
          unseenScore(name, condition, (model) => ({ ...model, acceptedFrom })),
        ),
      );

console.log('By caution:');
for (const condition of ['V', 'H46', 'H61', 'T40', 'H46 T20'])
  for (const caution of [0, 1, 2, 3, 4, 5, 6]) {
    const score = unseenScore('AVA-AVD train', condition, (model) => ({
      ...model,
      seen: { ...model.seen, caution },
      seenTalking: { ...model.seenTalking, caution },
    }));
    console.log(scoreLine('AVA-AVD train', condition, String(caution), score));
  }

console.log('The model fitted on all:', fittedOnAll());
