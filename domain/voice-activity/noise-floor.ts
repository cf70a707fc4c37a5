import { bandCount } from './spectrum.js';

/** The background noise of each band, followed by minimum statistics (Martin 2001). */
export interface NoiseFloor {
  readonly smoothed: Float64Array;
  /** The minima of the finished parts of the window that is looked back on, oldest first. */
  readonly parts: readonly Float64Array[];
  /** The minimum of those. */
  readonly before: Float64Array;
  /** The minimum of the part under way. */
  readonly current: Float64Array;
  readonly framesInPart: number;
  readonly noise: Float64Array;
}

/** Speech falls to the background within this many frames of 25 ms: 8 parts of 0.25 s. */
const partFrames = 10;
const windowParts = 8;

const smoothing = 0.8;
/** The minimum of a noise lies below its mean. */
const minimumBias = 1.6;
/** -90 dBFS a band: below it nothing is told apart. */
const leastNoise = 1e-9;
/** A loud start is taken for speech rather than for noise: -56 dBFS a band. */
const firstNoise = 2.5e-6;

const filled = (value: number): Float64Array => new Float64Array(bandCount).fill(value);

const nothingYet = filled(Number.POSITIVE_INFINITY);

export const unheardNoise: NoiseFloor = {
  smoothed: filled(0),
  parts: [],
  before: nothingYet,
  current: nothingYet,
  framesInPart: 0,
  noise: filled(leastNoise),
};

const smaller = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, at) => Math.min(value, b[at] ?? value));

/* Plain loops here: this runs 40 times a second for each session, and closures cost three times as much. */

/** The floor after one more frame. */
export const followNoise = (floor: NoiseFloor, powers: Float64Array): NoiseFloor => {
  const first = floor.parts.length === 0 && floor.framesInPart === 0;
  const most = floor.parts.length >= windowParts ? Number.POSITIVE_INFINITY : firstNoise;
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
    noise[band] = Math.min(most, Math.max(leastNoise, minimum * minimumBias));
  }
  if (floor.framesInPart + 1 < partFrames)
    return { ...floor, smoothed, current, framesInPart: floor.framesInPart + 1, noise };
  const parts = [...floor.parts, current].slice(-windowParts);
  return { smoothed, parts, before: parts.reduce(smaller), current: nothingYet, framesInPart: 0, noise };
};
