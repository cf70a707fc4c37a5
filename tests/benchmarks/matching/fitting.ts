import { coOccurrence, leastTogether } from '../../../domain/matching/co-occurrence.js';
import { coPresenceOf } from '../../../domain/matching/co-presence.js';
import type { Coefficients, Model } from '../../../domain/matching/likelihood.js';
import { at, tabulate } from '../../../domain/matching/matrix.js';
import { featuresOf, type PairFeatures } from '../../../domain/matching/pair-features.js';
import { publicClipsModel } from '../../../domain/matching/public-clips-model.js';
import { type Timeline, timelineOf } from '../../../domain/matching/timeline.js';
import type { Trial } from './conditions.js';
import { type Example, logisticFit } from './logistic.js';
import type { ScoredLink } from './scoring.js';

const listed = (f: PairFeatures): readonly number[] => [
  f.creditOfSpeech,
  f.creditOfFace,
  f.speaking,
  f.turnsSeen,
  f.tracksHeard,
  f.conversation,
];

const timeline = ({ input }: Trial): Timeline => timelineOf(input.speakers, input.faces);

const everyone = ({ input }: Trial) => tabulate(input.speakers.length, input.faces.length, () => 1);

/** Every candidate pair of a trial, and whether it belongs together. */
export const examplesOf = (trial: Trial): readonly Example[] => {
  const { input, truth } = trial;
  const time = timeline(trial);
  const counts = coPresenceOf(time);
  const features = featuresOf(time, counts, everyone(trial));
  return input.speakers.flatMap(({ speaker_id }, i) =>
    input.faces.flatMap(({ face_id }, j) =>
      at(counts.together, i, j) < leastTogether
        ? []
        : [{ features: listed(features(i, j)), right: truth.verdict(face_id, speaker_id) === 'right' }],
    ),
  );
};

export const coefficientsFrom = (examples: readonly Example[]): Coefficients => {
  const [constant = 0, ofSpeech = 0, ofFace = 0, speaking = 0, turns = 0, tracks = 0, conversation = 0] = logisticFit(
    examples,
    1,
  );
  return {
    constant,
    creditOfSpeech: ofSpeech,
    creditOfFace: ofFace,
    speaking,
    turnsSeen: turns,
    tracksHeard: tracks,
    conversation,
  };
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

/** The links of an uncalibrated model: the log odds of each, and whether it is right; what is left out is left out. */
export const linkExamples = (model: Model, trial: Trial): readonly Example[] =>
  linksBy({ ...model, calibration: publicClipsModel.calibration }, trial).flatMap((link) => {
    const verdict = trial.truth.verdict(link.face_id, link.speaker_id);
    const { shift, slope } = publicClipsModel.calibration;
    const logOdds = (Math.log(link.accuracy / (1 - link.accuracy)) - shift) / slope;
    return verdict === 'left_out' ? [] : [{ features: [logOdds], right: verdict === 'right' }];
  });
