import type { Model } from '../../domain/matching/likelihood.js';
import { publicClipsModel } from '../../domain/matching/public-clips-model.js';
import { type Clip, filmOf, readClips, sets } from './matching/clips.js';
import { type Condition, conditions, type Trial, trialOf } from './matching/conditions.js';
import { coefficientsFrom, examplesOf, linkExamples, linksBy } from './matching/fitting.js';
import { logisticFit } from './matching/logistic.js';
import { seeded } from './matching/random.js';
import { scoreHeader, scoreLine } from './matching/score-table.js';
import { type Score, scoreOf } from './matching/scoring.js';

/** Fits the model of `domain/matching` on the public clips, and measures it on films that it was not fitted on. */
const folds = 5;

interface Sample {
  readonly set: string;
  readonly condition: Condition;
  readonly fold: number;
  readonly trial: Trial;
}

const foldsOf = (clips: readonly Clip[]): ReadonlyMap<string, number> => {
  const random = seeded(7);
  return new Map([...new Set(clips.map(filmOf))].map((film) => [film, Math.floor(random() * folds)]));
};

const samples: readonly Sample[] = sets.flatMap(({ name, file }) => {
  const clips = readClips(file);
  const foldOf = foldsOf(clips);
  return conditions.flatMap((condition, c) =>
    clips.map((clip, n) => ({
      set: name,
      condition,
      fold: foldOf.get(filmOf(clip)) ?? 0,
      trial: trialOf(clip, condition, 1000 * (c + 1) + n),
    })),
  );
});
process.stderr.write(`${samples.length} trials read, making features\n`);

const learnt = samples
  .filter(({ condition }) => ['V', 'T20', 'T40'].includes(condition.name))
  .map((sample) => ({ ...sample, examples: examplesOf(sample.trial) }));

const uncalibrated = { shift: 0, slope: 1 };

const fitOn = (from: typeof learnt): Model => ({
  seen: coefficientsFrom(from.filter((s) => s.condition.noise === null).flatMap((s) => s.examples)),
  seenTalking: coefficientsFrom(from.filter((s) => s.condition.noise !== null).flatMap((s) => s.examples)),
  calibration: uncalibrated,
  acceptedFrom: publicClipsModel.acceptedFrom,
});

const models = Array.from({ length: folds }, (_, fold) => fitOn(learnt.filter((s) => s.fold !== fold)));
process.stderr.write('fitted, calibrating on films left out\n');

const unseen = learnt.flatMap((s) => {
  const model = models[s.fold];
  return model === undefined ? [] : linkExamples(model, s.trial);
});
const [shift = 0, slope = 1] = logisticFit(unseen, 0);
const calibration = { shift, slope };

/** The score of a condition, each trial by the model that has not seen its film. */
const unseenScore = (set: string, condition: string, acceptedFrom: number): Score =>
  scoreOf(
    samples
      .filter((s) => s.set === set && s.condition.name === condition)
      .map(({ trial, fold }) => {
        const model = models[fold];
        const proposed = model === undefined ? [] : linksBy({ ...model, calibration, acceptedFrom }, trial);
        return { truth: trial.truth, proposed };
      }),
  );

console.log('On films left out of the fit:');
console.log(scoreHeader);
for (const { name } of sets)
  for (const condition of conditions)
    console.log(
      scoreLine(name, condition.name, 'ours', unseenScore(name, condition.name, publicClipsModel.acceptedFrom)),
    );

console.log('By the least accuracy of a link:');
for (const { name } of sets)
  for (const condition of ['V', 'T20'])
    for (const acceptedFrom of [0.35, 0.4, 0.45, 0.5, 0.55, 0.6])
      console.log(scoreLine(name, condition, String(acceptedFrom), unseenScore(name, condition, acceptedFrom)));

console.log('The model fitted on all:', { ...fitOn(learnt), calibration });
