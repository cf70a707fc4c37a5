import { bandCount } from './spectrum.js';

/** The background noise per band, tracked by minimum statistics (Martin 2001). */
export interface NoiseFloor {
  readonly smoothed: Float64Array;
  /** Minima of the completed parts of the observation window, oldest first. */
  readonly parts: readonly Float64Array[];
  /** Minimum over the completed parts. */
  readonly before: Float64Array;
  /** Minimum of the current part. */
  readonly current: Float64Array;
  readonly framesInPart: number;
  readonly noise: Float64Array;
}

/** Length of the observation window: 8 parts of 10 frames (0.25 s). Speech pauses at least once in it. */
const partFrames = 10;
const windowParts = 8;

const smoothing = 0.8;
/** Compensates that the minimum of noise is below its mean. */
const minimumBias = 1.6;
/** Lower limit: -90 dBFS per band. */
const minNoise = 1e-9;
/** Upper limit at the start: -56 dBFS per band. Louder signals count as speech, not noise. */
const firstNoise = 2.5e-6;

const filled = (value: number): Float64Array => new Float64Array(bandCount).fill(value);

const nothingYet = filled(Number.POSITIVE_INFINITY);

export const initialNoiseFloor: NoiseFloor = {
  smoothed: filled(0),
  parts: [],
  before: nothingYet,
  current: nothingYet,
  framesInPart: 0,
  noise: filled(minNoise),
};

const smaller = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, at) => Math.min(value, b[at] ?? value));

/* Plain loops for speed: this runs 40 times a second per session, and closures took three times as long. */

/** Updates the noise floor with one frame. */
export const updateNoiseFloor = (floor: NoiseFloor, powers: Float64Array): NoiseFloor => {
  const first = floor.parts.length === 0 && floor.framesInPart === 0;
  const max = floor.parts.length >= windowParts ? Number.POSITIVE_INFINITY : firstNoise;
  const smoothed = new Float64Array(bandCount);
  const current = new Float64Array(bandCount);
  const noise = new Float64Array(bandCount);
  for (let band = 0; band < bandCount; band += 1) {
    const power = powers[band] ?? 0;
    const level = first ? power : smoothing * (floor.smoothed[band] ?? power) + (1 - smoothing) * power;
    const least = Math.min(floor.current[band] ?? level, level);
    const minimum = Math.min(least, floor.before[band] ?? least);
    smoothed[band] = level;
    current[band] = least;
    noise[band] = Math.min(max, Math.max(minNoise, minimum * minimumBias));
  }
  if (floor.framesInPart + 1 < partFrames)
    return { ...floor, smoothed, current, framesInPart: floor.framesInPart + 1, noise };
  const parts = [...floor.parts, current].slice(-windowParts);
  return { smoothed, parts, before: parts.reduce(smaller), current: nothingYet, framesInPart: 0, noise };
};
