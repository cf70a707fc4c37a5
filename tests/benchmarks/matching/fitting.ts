import { coOccurrence, pairLogOdds } from '../../../domain/matching/co-occurrence.js';
import { bestLinks } from '../../../domain/matching/assignment.js';
import { coPresenceOf, minSecondsTogether } from '../../../domain/matching/co-presence.js';
import { jointLogOdds } from '../../../domain/matching/joint-odds.js';
import type { Coefficients, Model } from '../../../domain/matching/likelihood.js';
import { at, tabulate } from '../../../domain/matching/matrix.js';
import { featuresOf, type PairFeatures } from '../../../domain/matching/pair-features.js';
import { publicClipsModel } from '../../../domain/matching/public-clips-model.js';
import { coOccurrenceInSync } from '../../../domain/matching/synchronised.js';
import type { Timeline } from '../../../domain/matching/timeline.js';
import { unmatchedFeatures } from '../../../domain/matching/unmatched-reason.js';
import { type Choice, choiceFit } from './choice-model.js';
import type { Trial } from './conditions.js';
import { type Example, logisticFit } from './logistic.js';
import type { ScoredLink } from './scoring.js';

const listed = (f: PairFeatures): readonly number[] => [
  f.creditOfFace,
  f.speaking,
  f.turnsSeen,
  f.tracksHeard,
  f.conversation,
  f.tracksWithSpeaker,
  f.tracksWithOthers,
  f.endTogether,
  f.othersHeard,
  f.seenToTalk,
  f.faces,
  f.visible,
  f.trackLength,
];

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
  const [constant = 0, creditOfFace = 0, speaking = 0, turnsSeen = 0, tracksHeard = 0, conversation = 0, ...rest] =
    choiceFit(choices, 1, start);
  const [tracksWithSpeaker = 0, tracksWithOthers = 0, endTogether = 0, othersHeard = 0, ...last] = rest;
  const [seenToTalk = 0, faces = 0, visible = 0, trackLength = 0] = last;
  return {
    constant,
    creditOfFace,
    speaking,
    turnsSeen,
    tracksHeard,
    conversation,
    tracksWithSpeaker,
    tracksWithOthers,
    endTogether,
    othersHeard,
    seenToTalk,
    faces,
    visible,
    trackLength,
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

/** The speakers that a model links to no face, with their features, and whether they are visible. */
export const unmatchedExamples = (model: Model, trial: Trial): readonly Example[] => {
  const { input, truth } = trial;
  const time = timeline(trial);
  const found = coOccurrence(time, everyone(trial), model);
  const linked = new Set(found.links.map(({ row }) => row));
  return input.speakers.flatMap(({ speaker_id }, row) => {
    if (linked.has(row)) return [];
    const { anyFace, bestLink, speaking, turns } = unmatchedFeatures(row, { timeline: time, found });
    const right = input.faces.some(({ face_id }) => truth.verdict(face_id, speaker_id) === 'right');
    return [{ features: [anyFace, bestLink, speaking, turns], right }];
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
