import { coOccurrence, coOccurrenceInSync, pairLogOdds } from '../../../domain/matching/co-occurrence.js';
import { bestLinks, jointLogOdds } from '../../../domain/matching/assignment.js';
import {
  coPresenceOf,
  featuresOf,
  minSecondsTogether,
  type PairFeatures,
} from '../../../domain/matching/pair-features.js';
import { type Coefficients, type Model, publicClipsModel } from '../../../domain/matching/model.js';
import { at, tabulate } from '../../../domain/matching/matrix.js';
import type { Timeline } from '../../../domain/matching/timeline.js';
import { unmatchedFeatures } from '../../../domain/matching/match-speakers-to-faces.js';
import { type Choice, choiceFit, type Example, logisticFit } from './logistic.js';
import type { Trial } from './conditions.js';
import type { ScoredLink } from './scoring.js';

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
export const choicesOf = (trial: Trial): readonly Choice[] => {
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

export const coefficientsFrom = (choices: readonly Choice[]): Coefficients => {
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
export const unmatchedExamples = (model: Model, trial: Trial): readonly Example[] => {
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
export const linkExamples = (model: Model, trial: Trial): readonly Example[] => {
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
