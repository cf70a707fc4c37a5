import { followNoise, type NoiseFloor, unheardNoise } from './noise-floor.js';
import { bandCount, bandPowers, spectrumSize } from './spectrum.js';

/** The level of digital silence, as RFC 6464 has it. */
const silenceLevel = -127;

/** A mean square of samples in dB relative to full scale: at most 0, silence is -127; to a tenth. */
export const levelOf = (meanSquare: number): number => {
  if (!(meanSquare > 0)) return silenceLevel;
  const level = Math.round(100 * Math.log10(meanSquare)) / 10;
  return Math.min(0, Math.max(silenceLevel, level));
};

/** The sum of the squares of samples; what is no finite number counts nothing. */
export const energyOf = (samples: Float32Array): number => {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Number.isFinite(sum) ? sum : 0;
};

/** Samples of one frame, at 16 kHz: 25 ms. */
export const frameSize = 400;

export interface Detector {
  readonly tail: Float32Array;
  readonly floor: NoiseFloor;
  /** What of the last frame was above the noise, per band. */
  readonly lastSpeech: Float64Array;
  /** Frames in a row that sounded like speech. */
  readonly run: number;
  /** Frames for which speech goes on though they do not sound like it. */
  readonly hangOver: number;
  readonly speaking: boolean;
}

export const idleDetector: Detector = {
  tail: new Float32Array(spectrumSize - frameSize),
  floor: unheardNoise,
  lastSpeech: new Float64Array(bandCount),
  run: 0,
  hangOver: 0,
  speaking: false,
};

/** Mean log-likelihood ratio from which speech begins, and below which it has ended. */
const beginsAt = 0.5;
const endsBelow = 0.2;
/** Frames in a row that begin speech: 50 ms, so that a click does not. */
const beginningFrames = 2;
/** 175 ms: longer than the pause inside a word before a stop consonant. */
const hangOverFrames = 7;
/** -60 dBFS: nobody speaks so softly into a microphone. */
const leastPower = 1e-6;
/** How much the last frame says of this one's speech (Ephraim and Malah 1984). */
const decisionDirected = 0.9;
const mostRatio = 1e3;

/** The mean over the bands of the log-likelihood ratio of speech in noise to noise alone (Sohn, Kim and Sung 1999). */
const likelihood = (powers: Float64Array, noise: Float64Array, lastSpeech: Float64Array): number => {
  let sum = 0;
  /* The logarithm of a product is the sum of logarithms; at most 1e60. */
  let product = 1;
  for (let band = 0; band < bandCount; band += 1) {
    const floor = noise[band] ?? 1;
    const posterior = Math.min(mostRatio, (powers[band] ?? 0) / floor);
    const prior =
      decisionDirected * Math.min(mostRatio, (lastSpeech[band] ?? 0) / floor) +
      (1 - decisionDirected) * Math.max(0, posterior - 1);
    sum += (posterior * prior) / (1 + prior);
    product *= 1 + prior;
  }
  return (sum - Math.log(product)) / bandCount;
};

const above = (powers: Float64Array, noise: Float64Array): Float64Array => {
  const speech = new Float64Array(bandCount);
  for (let band = 0; band < bandCount; band += 1) speech[band] = Math.max(0, (powers[band] ?? 0) - (noise[band] ?? 0));
  return speech;
};

const decided = (
  state: Detector,
  sounds: boolean,
  goesOn: boolean,
): Pick<Detector, 'run' | 'hangOver' | 'speaking'> => {
  const run = sounds ? state.run + 1 : 0;
  if (run >= beginningFrames || (state.speaking && goesOn)) return { run, hangOver: hangOverFrames, speaking: true };
  const hangOver = Math.max(0, state.hangOver - 1);
  return { run, hangOver, speaking: state.speaking && hangOver > 0 };
};

/**
 * The detector after one more frame of 400 samples at 16 kHz, full scale 1. A statistical detector: likelihood of
 * speech over a noise floor that it follows by itself, hysteresis, and hang-over. `speaking` is its answer.
 */
export const hear = (state: Detector, frame: Float32Array): Detector => {
  const window = new Float32Array(spectrumSize);
  window.set(state.tail);
  window.set(frame.subarray(0, frameSize), state.tail.length);
  const powers = bandPowers(window);
  const floor = followNoise(state.floor, powers);
  const score = likelihood(powers, floor.noise, state.lastSpeech);
  const loud = energyOf(frame) / frameSize > leastPower;
  return {
    tail: window.subarray(frameSize),
    floor,
    lastSpeech: above(powers, floor.noise),
    ...decided(state, loud && score > beginsAt, loud && score > endsBelow),
  };
};

/** The detector after a frame that never came: nothing is learnt of the noise, and speech ends after its hang-over. */
export const miss = (state: Detector): Detector => ({ ...state, ...decided(state, false, false) });
