import { type Calibration, type Model, type PairModel, publicClipsModel } from '../../../domain/matching/model.js';
import { type Clip, filmOf, readClips, sets } from './clips.js';
import { type Condition, type Trial, trialsOf } from './conditions.js';
import { choicesOf, coefficientsFrom, linkExamples, unmatchedExamples } from './fitting.js';
import { logisticFit } from './logistic.js';
import { randomFrom } from '../../support/realtime/random.js';

const folds = 5;

/** The conditions on which the model is fitted; the others only show what it does elsewhere. */
const learntConditions = new Set(['V', 'V mixed', 'H46', 'H61', 'S60', 'S120', 'T20', 'T40', 'T40 mixed']);

export interface Sample {
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
