import { frameSize, processFrame, idleDetector } from '../../../domain/voice-activity/detector.js';
import { sampleRate, spokenIn, type Stretch } from './speech-like.js';

export interface ActivityScore {
  readonly precision: number;
  readonly recall: number;
}

/** The detector's result for every frame of a sound. */
export const activityOf = (sound: Float32Array): readonly boolean[] => {
  let detector = idleDetector;
  return Array.from({ length: Math.floor(sound.length / frameSize) }, (_, at) => {
    detector = processFrame(detector, sound.subarray(at * frameSize, (at + 1) * frameSize));
    return detector.speaking;
  });
};

/** How well the detector finds the speech of a sound, frame by frame. */
export const scoreActivity = (stretches: readonly Stretch[], sound: Float32Array): ActivityScore => {
  const truth = spokenIn(stretches);
  let both = 0;
  let said = 0;
  let spoken = 0;
  for (const [at, speaking] of activityOf(sound).entries()) {
    const middle = ((at + 0.5) * frameSize) / sampleRate;
    const speech = truth.some(({ start, end }) => middle >= start && middle < end);
    both += speaking && speech ? 1 : 0;
    said += speaking ? 1 : 0;
    spoken += speech ? 1 : 0;
  }
  return { precision: both / said, recall: both / spoken };
};

/** A conversation of `count` turns of 2 to 5 s with pauses of 1 to 3 s. */
export const turns = (count: number, random: () => number): readonly Stretch[] =>
  Array.from({ length: count }, () => [
    { seconds: 1 + 2 * random(), speech: false },
    { seconds: 2 + 3 * random(), speech: true },
  ]).flat();
