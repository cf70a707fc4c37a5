/** Samples per spectrum: 32 ms at 16 kHz. */
export const spectrumSize = 512;

const sampleRate = 16_000;

/** Edges of the critical bands in Hz (Zwicker 1961), covering the frequency range of speech. */
const bandEdges = [
  100, 200, 300, 400, 510, 630, 770, 920, 1_080, 1_270, 1_480, 1_720, 2_000, 2_320, 2_700, 3_150, 3_700, 4_400, 5_300,
  6_400, 7_700,
];

/** Number of bands. */
export const bandCount = bandEdges.length - 1;

const binOf = (hertz: number): number => Math.round((hertz * spectrumSize) / sampleRate);
const edgeBins = bandEdges.map(binOf);

const hann = Float64Array.from(
  { length: spectrumSize },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / spectrumSize),
);
/** Scales a full-scale sine to a power of 0.5 in its band; compensates the loss of the window function. */
const powerScale = 2 / (spectrumSize * hann.reduce((sum, value) => sum + value * value, 0));

/* The transform of 512 real samples is computed as that of 256 complex values, with even samples as real parts. */
const half = spectrumSize / 2;
const bits = Math.log2(half);
const reversed = Uint16Array.from({ length: half }, (_, at) => {
  let out = 0;
  for (let bit = 0; bit < bits; bit += 1) out |= ((at >> bit) & 1) << (bits - 1 - bit);
  return out;
});
const cosines = Float64Array.from({ length: half }, (_, at) => Math.cos((2 * Math.PI * at) / spectrumSize));
const sines = Float64Array.from({ length: half }, (_, at) => -Math.sin((2 * Math.PI * at) / spectrumSize));

/** One butterfly of the transform, in place. */
const butterfly = (re: Float64Array, im: Float64Array, low: number, high: number, twiddle: number): void => {
  const cosine = cosines[twiddle] ?? 0;
  const sine = sines[twiddle] ?? 0;
  const a = re[high] ?? 0;
  const b = im[high] ?? 0;
  const x = a * cosine - b * sine;
  const y = a * sine + b * cosine;
  const u = re[low] ?? 0;
  const v = im[low] ?? 0;
  re[high] = u - x;
  im[high] = v - y;
  re[low] = u + x;
  im[low] = v + y;
};

/** Radix-2 fast Fourier transform (Cooley and Tukey 1965), in place, of values in bit-reversed order. */
const transform = (re: Float64Array, im: Float64Array): void => {
  for (let width = 1; width < half; width *= 2) {
    const stride = half / width;
    for (let start = 0; start < half; start += 2 * width)
      for (let at = 0; at < width; at += 1) butterfly(re, im, start + at, start + at + width, at * stride);
  }
};

/** The power of one bin of the real samples, from the transform of the complex ones. */
const binPower = (re: Float64Array, im: Float64Array, bin: number): number => {
  const a = re[bin] ?? 0;
  const b = im[bin] ?? 0;
  const c = re[half - bin] ?? 0;
  const d = im[half - bin] ?? 0;
  const cosine = cosines[bin] ?? 0;
  const sine = sines[bin] ?? 0;
  const x = (a + c + (b + d) * cosine + (a - c) * sine) / 2;
  const y = (b - d + (b + d) * sine - (a - c) * cosine) / 2;
  return x * x + y * y;
};

/* Scratch buffers of the transform, overwritten by each call. */
const re = new Float64Array(half);
const im = new Float64Array(half);

/** The power of each critical band of 512 samples at 16 kHz, relative to full scale. */
export const bandPowers = (samples: Float32Array): Float64Array => {
  for (let at = 0; at < half; at += 1) {
    const to = reversed[at] ?? 0;
    re[to] = (samples[2 * at] ?? 0) * (hann[2 * at] ?? 0);
    im[to] = (samples[2 * at + 1] ?? 0) * (hann[2 * at + 1] ?? 0);
  }
  transform(re, im);
  const powers = new Float64Array(bandCount);
  for (let band = 0; band < bandCount; band += 1) {
    let sum = 0;
    for (let bin = edgeBins[band] ?? 0; bin < (edgeBins[band + 1] ?? 0); bin += 1) sum += binPower(re, im, bin);
    powers[band] = sum * powerScale;
  }
  return powers;
};

/** The background noise per band, tracked by minimum statistics (Martin 2001). */
export interface NoiseFloor {
  readonly smoothed: Float64Array;
  /** Minima of the completed parts of the observation window, oldest first. */
  readonly parts: readonly Float64Array[];
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
  current: nothingYet,
  framesInPart: 0,
  noise: filled(minNoise),
};

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
    let minimum = least;
    for (const part of floor.parts) minimum = Math.min(minimum, part[band] ?? least);
    smoothed[band] = level;
    current[band] = least;
    noise[band] = Math.min(max, Math.max(minNoise, minimum * minimumBias));
  }
  if (floor.framesInPart + 1 < partFrames)
    return { ...floor, smoothed, current, framesInPart: floor.framesInPart + 1, noise };
  const parts = [...floor.parts, current].slice(-windowParts);
  return { smoothed, parts, current: nothingYet, framesInPart: 0, noise };
};

/** The level of digital silence (RFC 6464). */
const silenceLevel = -127;

/** Converts a mean square of samples to dBFS, rounded to a tenth: from -127 (silence) to 0. */
const levelOf = (meanSquare: number): number => {
  const level = Math.round(100 * Math.log10(meanSquare)) / 10;
  return Math.min(0, Math.max(silenceLevel, level));
};

/** The sum of the squares of samples; 0 if not finite. */
const energyOf = (samples: Float32Array): number => {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Number.isFinite(sum) ? sum : 0;
};

/** Samples of one frame, at 16 kHz: 25 ms. */
export const frameSize = 400;

export interface Detector {
  readonly tail: Float32Array;
  readonly floor: NoiseFloor;
  /** Power of the last frame above the noise, per band. */
  readonly lastSpeech: Float64Array;
  /** Number of consecutive frames that sounded like speech. */
  readonly run: number;
  /** Frames for which speech is assumed to continue although they do not sound like it. */
  readonly hangOver: number;
  readonly speaking: boolean;
}

export const idleDetector: Detector = {
  tail: new Float32Array(spectrumSize - frameSize),
  floor: initialNoiseFloor,
  lastSpeech: new Float64Array(bandCount),
  run: 0,
  hangOver: 0,
  speaking: false,
};

/** Mean log-likelihood ratio above which speech begins, and below which it ends. */
const beginsAt = 0.5;
const endsBelow = 0.2;
/** Consecutive frames needed to begin speech: 50 ms, so that a click does not. */
const beginningFrames = 2;
/** 175 ms: longer than the pause inside a word before a stop consonant. */
const hangOverFrames = 7;
/** -60 dBFS: quieter frames are never speech. */
const minPower = 1e-6;
/** Weight of the last frame in the estimate of the present one (Ephraim and Malah 1984). */
const decisionDirected = 0.9;
const maxRatio = 1e3;

/** The mean over the bands of the log-likelihood ratio of speech in noise to noise alone (Sohn, Kim and Sung 1999). */
const likelihood = (powers: Float64Array, noise: Float64Array, lastSpeech: Float64Array): number => {
  let sum = 0;
  /* Multiply first and take one logarithm; the product is at most 1e60. */
  let product = 1;
  for (let band = 0; band < bandCount; band += 1) {
    const floor = noise[band] ?? 1;
    const posterior = Math.min(maxRatio, (powers[band] ?? 0) / floor);
    const prior =
      decisionDirected * Math.min(maxRatio, (lastSpeech[band] ?? 0) / floor) +
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
 * Processes a frame of 400 samples at 16 kHz, full scale 1. Statistical detection: likelihood ratio over a tracked
 * noise floor, with hysteresis and hang-over. The result is `speaking`.
 */
export const processFrame = (state: Detector, frame: Float32Array): Detector => {
  const window = new Float32Array(spectrumSize);
  window.set(state.tail);
  window.set(frame.subarray(0, frameSize), state.tail.length);
  const powers = bandPowers(window);
  const floor = updateNoiseFloor(state.floor, powers);
  const score = likelihood(powers, floor.noise, state.lastSpeech);
  const loud = energyOf(frame) / frameSize > minPower;
  return {
    tail: window.subarray(frameSize),
    floor,
    lastSpeech: above(powers, floor.noise),
    ...decided(state, loud && score > beginsAt, loud && score > endsBelow),
  };
};

/** Processes a missing frame: the noise estimate is unchanged, and speech ends after its hang-over. */
export const processMissingFrame = (state: Detector): Detector => ({ ...state, ...decided(state, false, false) });

/** Result for a window of 0.25 s; times in seconds. */
export interface VoiceWindow {
  readonly start: number;
  readonly end: number;
  readonly speaking: boolean;
  readonly level_dbfs: number;
}

const framesPerWindow = 10;
const frameSeconds = 0.025;
/** A window counts as speech if more than half of its frames do. */
const speakingFrames = 6;

export interface Windows {
  readonly detector: Detector;
  readonly framesBefore: number;
  readonly frames: number;
  readonly speaking: number;
  readonly energy: number;
}

export const initialWindows: Windows = { detector: idleDetector, framesBefore: 0, frames: 0, speaking: 0, energy: 0 };

export interface FrameResult {
  readonly windows: Windows;
  /** The window completed by this frame, if any. */
  readonly completed: VoiceWindow | undefined;
}

const seconds = (frames: number): number => Math.round(frames * frameSeconds * 1000) / 1000;

/**
 * Processes a frame of 25 ms (400 samples at 16 kHz), or undefined for a missing frame, which counts as silence. Every
 * tenth frame completes a window, so there are four per second of media time.
 */
export const processAudioFrame = (state: Windows, frame: Float32Array | undefined): FrameResult => {
  const detector = frame === undefined ? processMissingFrame(state.detector) : processFrame(state.detector, frame);
  const frames = state.frames + 1;
  const speaking = state.speaking + (detector.speaking ? 1 : 0);
  const energy = state.energy + (frame === undefined ? 0 : energyOf(frame));
  if (frames < framesPerWindow)
    return { windows: { ...state, detector, frames, speaking, energy }, completed: undefined };
  const framesBefore = state.framesBefore + framesPerWindow;
  return {
    windows: { detector, framesBefore, frames: 0, speaking: 0, energy: 0 },
    completed: {
      start: seconds(state.framesBefore),
      end: seconds(framesBefore),
      speaking: speaking >= speakingFrames,
      level_dbfs: levelOf(energy / (framesPerWindow * frameSize)),
    },
  };
};
