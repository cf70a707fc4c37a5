import type { Model } from '../../domain/matching/model.js';
import { sets } from './matching/clips.js';
import { conditions } from './matching/trials.js';
import { allSamples, crossValidated, linksBy } from './matching/fitting.js';
import { scoreOf, scoreRow } from './matching/scoring.js';

/**
 * Fits the model of `domain/matching` on the public clips, and measures it on films that it was not fitted on.
 * Argument: the folder of the clips.
 */
const samples = allSamples(conditions);
process.stderr.write(`${samples.length} trials read, making features\n`);
const { models, fittedOnAll } = crossValidated(samples);

/** The score of a condition, each trial by the model and calibration that were not fitted on its film. */
const unseen = (set: string, condition: string, method = 'ours', changed = (model: Model): Model => model) => {
  const ofBoth = samples.filter((one) => one.set === set && one.condition.name === condition);
  const links = ofBoth.map(({ trial, fold }) => {
    const model = models[fold];
    return { truth: trial.truth, proposed: model === undefined ? [] : linksBy(changed(model), trial) };
  });
  return scoreRow(set, condition, method, scoreOf(links));
};

console.log('On films left out of the fit:');
console.table(sets.flatMap(({ name }) => conditions.map((condition) => unseen(name, condition.name))));

console.log('By the least accuracy of a link:');
console.table(
  sets.flatMap(({ name }) =>
    ['V', 'T20'].flatMap((condition) =>
      [0.35, 0.4, 0.45, 0.5, 0.55, 0.6].map((acceptedFrom) =>
        unseen(name, condition, String(acceptedFrom), (model) => ({ ...model, acceptedFrom })),
      ),
    ),
  ),
);

console.log('By caution:');
console.table(
  ['V', 'H46', 'H61', 'T40', 'H46 T20'].flatMap((condition) =>
    [0, 1, 2, 3, 4, 5, 6].map((caution) =>
      unseen('AVA-AVD train', condition, String(caution), ({ seen, seenTalking, ...model }) => ({
        ...model,
        seen: { ...seen, caution },
        seenTalking: { ...seenTalking, caution },
      })),
    ),
  ),
);

console.log('The model fitted on all:', fittedOnAll());
