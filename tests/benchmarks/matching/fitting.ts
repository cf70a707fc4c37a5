import { bestLinks, jointLogOdds } from '../../../domain/matching/assignment.js';
import { coOccurrence, coOccurrenceInSync, pairLogOdds } from '../../../domain/matching/co-occurrence.js';
import { unmatchedFeatures } from '../../../domain/matching/match-speakers-to-faces.js';
import { at, tabulate } from '../../../domain/matching/matrix.js';
import {
  type Coefficients,
  type Model,
  publicClipsModel,
  type Calibration,
  type PairModel,
} from '../../../domain/matching/model.js';
import {
  coPresenceOf,
  featuresOf,
  minSecondsTogether,
  type PairFeatures,
} from '../../../domain/matching/pair-features.js';
import type { Timeline } from '../../../domain/matching/timeline.js';
import { type Clip, filmOf, readClips, sets } from './clips.js';
import { type Trial, type Condition, trialsOf } from './trials.js';
import type { ScoredLink } from './scoring.js';
import { randomFrom } from '../../support/realtime/random.js';

interface Example {
  readonly features: readonly number[];
  readonly right: boolean;
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);

/** The solution of a symmetric positive definite system, by Gaussian elimination. */
const solved = (matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] => {
  const rows = matrix.map((row, n) => [...row, right[n] ?? 0]);
  rows.forEach((pivot, n) => {
    rows.slice(n + 1).forEach((row) => {
      const factor = (row[n] ?? 0) / (pivot[n] ?? 1);
      pivot.forEach((cell, column) => (row[column] = (row[column] ?? 0) - factor * cell));
    });
  });
  const x = rows.map(() => 0);
  for (let n = rows.length - 1; n >= 0; n -= 1) {
    const row = rows[n] ?? [];
    const known = x.reduce((sum, value, column) => (column > n ? sum + value * (row[column] ?? 0) : sum), 0);
    x[n] = ((row[rows.length] ?? 0) - known) / (row[n] ?? 1);
  }
  return x;
};

/** The candidates of one speaker: the features of each face, and whether it is the speaker's. */
interface Choice {
  readonly options: readonly Example[];
}

const steps = 16;
/** Full steps from the start overshoot. */
const careful = { steps: 3, share: 0.7 };

interface Slope {
  readonly gradient: number[];
  readonly curvature: number[][];
}

const addTo = (row: number[], n: number, amount: number): void => {
  row[n] = (row[n] ?? 0) + amount;
};

/** Adds the contribution of one choice: the probabilities of its options, with nobody at odds of 1, compared with the truth. */
const addChoice = ({ options }: Choice, coefficients: readonly number[], { gradient, curvature }: Slope): void => {
  const xs = options.map(({ features }) => [1, ...features]);
  const scores = xs.map((x) => dot(coefficients, x));
  const highest = Math.max(0, ...scores);
  const weights = scores.map((score) => Math.exp(score - highest));
  const total = weights.reduce((sum, weight) => sum + weight, Math.exp(-highest));
  const chances = weights.map((weight) => weight / total);
  const rightTotal = options.reduce((sum, { right }, n) => sum + (right ? (weights[n] ?? 0) : 0), 0);
  const mean = coefficients.map((_, k) => xs.reduce((sum, x, n) => sum + (chances[n] ?? 0) * (x[k] ?? 0), 0));
  xs.forEach((x, n) => {
    const wanted = rightTotal > 0 && options[n]?.right === true ? (weights[n] ?? 0) / rightTotal : 0;
    const chance = chances[n] ?? 0;
    x.forEach((value, a) => {
      addTo(gradient, a, (wanted - chance) * value);
      x.forEach((other, b) => addTo(curvature[a] ?? [], b, chance * value * other));
    });
  });
  mean.forEach((value, a) => mean.forEach((other, b) => addTo(curvature[a] ?? [], b, -value * other)));
};

/**
 * The conditional logit (McFadden 1974) with nobody as an option, by Newton's method from `start`; `ridge` draws every
 * coefficient but the first, the constant, towards 0.
 */
const choiceFit = (choices: readonly Choice[], ridge: number, start: readonly number[]): readonly number[] => {
  let coefficients = start;
  for (let step = 0; step < steps; step += 1) {
    const slope: Slope = {
      gradient: coefficients.map((c, n) => (n === 0 ? 0 : -ridge * c)),
      curvature: coefficients.map((_, n) => coefficients.map((__, m) => (n !== m ? 0 : n === 0 ? 1e-6 : ridge))),
    };
    for (const choice of choices) addChoice(choice, coefficients, slope);
    const change = solved(slope.curvature, slope.gradient);
    const share = step < careful.steps ? careful.share : 1;
    coefficients = coefficients.map((c, n) => c + share * (change[n] ?? 0));
  }
  return coefficients;
};

/** The logistic regression: a choice between each example and nobody. */
const logisticFit = (examples: readonly Example[], ridge: number): readonly number[] =>
  choiceFit(
    examples.map((example) => ({ options: [example] })),
    ridge,
    Array.from({ length: (examples[0]?.features.length ?? 0) + 1 }, () => 0),
  );

/** The features that a model weighs, in the order in which they are fitted. */
const names = [
  'creditOfFace',
  'speaking',
  'turnsSeen',
  'tracksHeard',
  'conversation',
  'tracksWithSpeaker',
  'tracksWithOthers',
  'endTogether',
  'othersHeard',
  'seenToTalk',
  'faces',
  'visible',
  'trackLength',
] as const satisfies readonly (keyof PairFeatures)[];

const listed = (features: PairFeatures): readonly number[] => names.map((name) => features[name]);

const everyone = ({ input }: Trial) => tabulate(input.speakers.length, input.faces.length, () => 1);

/** With the sound aligned to the picture, by the model of now: the offset depends little on it. */
const timeline = (trial: Trial): Timeline =>
  coOccurrenceInSync(trial.input.speakers, trial.input.faces, everyone(trial), publicClipsModel).timeline;

/** The candidates of each speaker of a trial. Speakers without known truth are left out. */
const choicesOf = (trial: Trial): readonly Choice[] => {
  const { input, truth } = trial;
  const time = timeline(trial);
  const counts = coPresenceOf(time);
  const features = featuresOf(time, counts, everyone(trial));
  return input.speakers.flatMap(({ speaker_id }, i) => {
    const options = input.faces.flatMap(({ face_id }, j) =>
      at(counts.together, i, j) < minSecondsTogether
        ? []
        : [{ features: listed(features(i, j)), right: truth.verdict(face_id, speaker_id) === 'right' }],
    );
    return options.some(({ right }) => right) || truth.offscreen.has(speaker_id) ? [{ options }] : [];
  });
};

const coefficientsFrom = (choices: readonly Choice[]): Coefficients => {
  const start = logisticFit(
    choices.flatMap(({ options }) => options),
    1,
  );
  const [constant = 0, ...fitted] = choiceFit(choices, 1, start);
  const coefficients = { ...publicClipsModel.seen.pair, constant };
  return names.reduce((all, name, n) => ({ ...all, [name]: fitted[n] ?? 0 }), coefficients);
};

/** The links that a model makes, scored as the service would. */
export const linksBy = (model: Model, trial: Trial): readonly ScoredLink[] => {
  const { input } = trial;
  const found = coOccurrence(timeline(trial), everyone(trial), model);
  return found.links.flatMap(({ row, column }) => {
    const [speaker, face] = [input.speakers[row], input.faces[column]];
    const accuracy = at(found.accuracies, row, column);
    return speaker === undefined || face === undefined
      ? []
      : [{ face_id: face.face_id, speaker_id: speaker.speaker_id, accuracy }];
  });
};

/** The speakers that a model links to no face, with their features, and whether they are visible. */
const unmatchedExamples = (model: Model, trial: Trial): readonly Example[] => {
  const { input, truth } = trial;
  const time = timeline(trial);
  const found = coOccurrence(time, everyone(trial), model);
  const linked = new Set(found.links.map(({ row }) => row));
  return input.speakers.flatMap(({ speaker_id }, row) => {
    if (linked.has(row)) return [];
    const { anyFace, bestLink, speaking } = unmatchedFeatures(row, { timeline: time, found });
    const right = input.faces.some(({ face_id }) => truth.verdict(face_id, speaker_id) === 'right');
    return [{ features: [anyFace, bestLink, speaking], right }];
  });
};

/** Log odds below which a link is not worth calibrating. */
const hopeless = -2.5;

/** The best links before calibration: the log odds of each, alone and among all pairs, and whether it is right. */
const linkExamples = (model: Model, trial: Trial): readonly Example[] => {
  const { input, truth } = trial;
  const time = timeline(trial);
  const alone = pairLogOdds(time, coPresenceOf(time), everyone(trial), model);
  const among = jointLogOdds(alone);
  return bestLinks(tabulate(alone.rows, alone.columns, (i, j) => at(alone, i, j) - hopeless)).flatMap(
    ({ row, column }) => {
      const [speaker, face] = [input.speakers[row], input.faces[column]];
      if (speaker === undefined || face === undefined) return [];
      const verdict = truth.verdict(face.face_id, speaker.speaker_id);
      const features = [at(alone, row, column), at(among, row, column)];
      return verdict === 'left_out' ? [] : [{ features, right: verdict === 'right' }];
    },
  );
};

const folds = 5;

/** The conditions on which the model is fitted; the others only show what it does elsewhere. */
const learntConditions = new Set(['V', 'V mixed', 'H46', 'H61', 'S60', 'S120', 'T20', 'T40', 'T40 mixed']);

interface Sample {
  readonly set: string;
  readonly condition: Condition;
  /** The clips of one film are in one fold. */
  readonly fold: number;
  readonly trial: Trial;
}

const foldsOf = (clips: readonly Clip[]): ReadonlyMap<string, number> => {
  const random = randomFrom(7);
  return new Map([...new Set(clips.map(filmOf))].map((film) => [film, Math.floor(random() * folds)]));
};

/** Whether there are no talking scores. */
const isSilent = ({ condition }: Pick<Sample, 'condition'>): boolean => condition.noise === null;

/** Every clip of both sets under every requested condition. */
export const allSamples = (conditions: readonly Condition[]): readonly Sample[] =>
  sets.flatMap((set) => {
    const clips = readClips(set);
    const foldOf = foldsOf(clips);
    return conditions.flatMap((condition, c) =>
      clips.flatMap((clip, n) =>
        trialsOf(clip, condition, 1000 * (c + 1) + n).map((trial) => ({
          set: set.name,
          condition,
          fold: foldOf.get(filmOf(clip)) ?? 0,
          trial,
        })),
      ),
    );
  });

/**
 * Fits the model. `models` holds one for each fold, fitted and calibrated on the films
 * of the others; `fittedOnAll` the one to ship.
 */
export const crossValidated = (
  samples: readonly Sample[],
): { readonly models: readonly Model[]; readonly fittedOnAll: () => Model } => {
  const learnt = samples
    .filter(({ condition }) => learntConditions.has(condition.name))
    .map((sample) => ({ ...sample, choices: choicesOf(sample.trial) }));
  const pairModelOn = (from: typeof learnt, { caution }: PairModel): PairModel => ({
    pair: coefficientsFrom(from.flatMap((s) => s.choices)),
    calibration: { constant: 0, alone: 1, among: 0 },
    caution,
  });
  const fitOn = (from: typeof learnt): Model => ({
    seen: pairModelOn(from.filter(isSilent), publicClipsModel.seen),
    seenTalking: pairModelOn(
      from.filter((s) => !isSilent(s)),
      publicClipsModel.seenTalking,
    ),
    seenUnmatched: publicClipsModel.seenUnmatched,
    acceptedFrom: publicClipsModel.acceptedFrom,
  });
  const fitted = Array.from({ length: folds }, (_, fold) => fitOn(learnt.filter((s) => s.fold !== fold)));
  process.stderr.write('fitted, calibrating on films left out\n');
  const unseen = learnt.flatMap((s) => {
    const model = fitted[s.fold];
    return model === undefined
      ? []
      : linkExamples(model, s.trial).map((example) => ({ ...example, fold: s.fold, condition: s.condition }));
  });
  const calibrationFrom = (from: typeof unseen): Calibration => {
    const [constant = 0, alone = 1, among = 0] = logisticFit(from, 0.1);
    return { constant, alone, among };
  };
  /** Links of faces without scores are few: theirs is fitted on all, which does better on films left out. */
  const calibratedOn = (model: Model, from: typeof unseen): Model => ({
    ...model,
    seen: { ...model.seen, calibration: calibrationFrom(from) },
    seenTalking: { ...model.seenTalking, calibration: calibrationFrom(from.filter((link) => !isSilent(link))) },
  });
  const calibrated = fitted.map((model, fold) =>
    calibratedOn(
      model,
      unseen.filter((link) => link.fold !== fold),
    ),
  );
  const unmatched = learnt.flatMap((s) => {
    const model = calibrated[s.fold];
    return model === undefined
      ? []
      : unmatchedExamples(model, s.trial).map((example) => ({ ...example, fold: s.fold }));
  });
  const seenFrom = (from: typeof unmatched): Model['seenUnmatched'] => {
    const [constant = 0, anyFace = 0, bestLink = 0, speaking = 0] = logisticFit(from, 1);
    return { constant, anyFace, bestLink, speaking };
  };
  return {
    models: calibrated.map((model, fold) => ({
      ...model,
      seenUnmatched: seenFrom(unmatched.filter((speaker) => speaker.fold !== fold)),
    })),
    fittedOnAll: () => ({
      ...calibratedOn(fitOn(learnt), unseen),
      seenUnmatched: seenFrom(unmatched),
    }),
  };
};
