import { writeFileSync } from 'node:fs';
import type { Model } from '../../domain/matching/likelihood.js';
import { publicClipsModel } from '../../domain/matching/public-clips-model.js';
import { type Clip, filmOf, readClips, sets } from './matching/clips.js';
import { type Condition, conditions, type Trial, trialOf } from './matching/conditions.js';
import { choicesOf, coefficientsFrom, linkExamples, linksBy } from './matching/fitting.js';
import { logisticFit } from './matching/logistic.js';
import { binLine, binsOf, reliabilityDiagram } from './matching/reliability.js';
import { seeded } from './matching/random.js';
import { scoreHeader, scoreLine } from './matching/score-table.js';
import { judgedLinks, type ProposedFor, type Score, scoreOf } from './matching/scoring.js';

/**
 * Fits the model of `domain/matching` on the public clips, and measures it on films that it was not fitted on.
 * Arguments: the folder of the clips, and where to draw how well the accuracies hold.
 */
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
  .map((sample) => ({ ...sample, choices: choicesOf(sample.trial) }));

const uncalibrated = { constant: 0, alone: 1, among: 0 };

const fitOn = (from: typeof learnt): Model => ({
  seen: coefficientsFrom(from.filter((s) => s.condition.noise === null).flatMap((s) => s.choices)),
  seenTalking: coefficientsFrom(from.filter((s) => s.condition.noise !== null).flatMap((s) => s.choices)),
  calibration: uncalibrated,
  acceptedFrom: publicClipsModel.acceptedFrom,
});

const models = Array.from({ length: folds }, (_, fold) => fitOn(learnt.filter((s) => s.fold !== fold)));
process.stderr.write('fitted, calibrating on films left out\n');

const unseen = learnt.flatMap((s) => {
  const model = models[s.fold];
  return model === undefined ? [] : linkExamples(model, s.trial).map((example) => ({ ...example, fold: s.fold }));
});

const calibrationFrom = (from: typeof unseen): Model['calibration'] => {
  const [constant = 0, alone = 1, among = 0] = logisticFit(from, 0.1);
  return { constant, alone, among };
};

/** By fold: calibrated on the films of the others, each scored by a model that has not seen it. */
const calibrations = models.map((_, fold) => calibrationFrom(unseen.filter((link) => link.fold !== fold)));

/** The links of a condition, each trial by the model and the calibration that have not seen its film. */
const unseenLinks = (set: string, condition: string, acceptedFrom: number): readonly ProposedFor[] =>
  samples
    .filter((s) => s.set === set && s.condition.name === condition)
    .map(({ trial, fold }) => {
      const [model, calibration] = [models[fold], calibrations[fold]];
      const known = model !== undefined && calibration !== undefined;
      return { truth: trial.truth, proposed: known ? linksBy({ ...model, calibration, acceptedFrom }, trial) : [] };
    });

const unseenScore = (set: string, condition: string, acceptedFrom: number): Score =>
  scoreOf(unseenLinks(set, condition, acceptedFrom));

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

console.log('Links by their accuracy, both sets, on films left out:');
const series = ['V', 'T20', 'T40'].map((name) => ({
  name,
  bins: binsOf(judgedLinks(sets.flatMap((set) => unseenLinks(set.name, name, publicClipsModel.acceptedFrom)))),
}));
for (const { name, bins } of series) for (const bin of bins) console.log(name.padEnd(4), binLine(bin));
const diagram = process.argv[3];
if (diagram !== undefined) writeFileSync(diagram, reliabilityDiagram(series));

console.log('The model fitted on all:', { ...fitOn(learnt), calibration: calibrationFrom(unseen) });
