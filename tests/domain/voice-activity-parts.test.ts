import { expect } from 'chai';
import {
  type Detector,
  type NoiseFloor,
  energyOf,
  frameSize,
  processFrame,
  idleDetector,
  levelOf,
  processMissingFrame,
  processAudioFrame,
  initialWindows,
  updateNoiseFloor,
  initialNoiseFloor,
  bandCount,
  bandPowers,
  spectrumSize,
} from '../../domain/voice-activity/detector.js';
import { randomFrom } from '../support/realtime/random.js';

const sampleRate = 16_000;
/** Edges of the critical bands in Hz (Zwicker 1961). */
const edges = [100, 200, 300, 400, 510, 630, 770, 920, 1_080, 1_270, 1_480, 1_720, 2_000, 2_320, 2_700, 3_150].concat([
  3_700, 4_400, 5_300, 6_400, 7_700,
]);

const noise = (amplitude: number, length: number, seed: number): Float32Array => {
  const random = randomFrom(seed);
  return Float32Array.from({ length }, () => amplitude * (2 * random() - 1));
};

const sine = (amplitude: number, hertz: number, length: number, from = 0): Float32Array =>
  Float32Array.from({ length }, (_, n) => amplitude * Math.sin((2 * Math.PI * hertz * (from + n)) / sampleRate));

/** The power of each band by the definition of the discrete Fourier transform. */
const powersByDefinition = (samples: Float32Array): readonly number[] => {
  const hann = Array.from(samples, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / spectrumSize));
  const scale = 2 / (spectrumSize * hann.reduce((sum, value) => sum + value * value, 0));
  const powerAt = (bin: number): number => {
    let [real, imaginary] = [0, 0];
    samples.forEach((sample, n) => {
      const angle = (2 * Math.PI * bin * n) / spectrumSize;
      real += sample * (hann[n] ?? 0) * Math.cos(angle);
      imaginary += sample * (hann[n] ?? 0) * Math.sin(angle);
    });
    return real * real + imaginary * imaginary;
  };
  const bins = edges.map((hertz) => Math.round((hertz * spectrumSize) / sampleRate));
  return bins.slice(1).map((end, band) => {
    let sum = 0;
    for (let bin = bins[band] ?? 0; bin < end; bin += 1) sum += powerAt(bin);
    return sum * scale;
  });
};

describe('voice activity: spectrum', () => {
  it('has the power of each band according to the Fourier transform', () => {
    for (const samples of [noise(0.5, spectrumSize, 1), sine(0.7, 1_370, spectrumSize)]) {
      const [found, expected] = [bandPowers(samples), powersByDefinition(samples)];
      expect(found.length).to.equal(bandCount);
      expected.forEach((power, band) => expect(found[band], `band ${band}`).to.be.closeTo(power, 1e-9 + power * 1e-6));
    }
  });
});

describe('voice activity: noise floor', () => {
  const constant = (power: number) => new Float64Array(bandCount).fill(power);
  const after = (powers: readonly number[], start: NoiseFloor = initialNoiseFloor): NoiseFloor =>
    powers.reduce((floor, power) => updateNoiseFloor(floor, constant(power)), start);
  const repeated = (power: number, count: number) => Array.from({ length: count }, () => power);
  const noiseOf = ({ noise: [first] }: NoiseFloor): number => first ?? Number.NaN;

  it('lies above the minimum of the smoothed power', () => {
    expect(noiseOf(after([1e-6]))).to.be.closeTo(1.6e-6, 1e-15);
    expect(noiseOf(after([1e-6, 2e-6]))).to.be.closeTo(1.6e-6, 1e-15);
    expect(noiseOf(after([1e-6, 0.5e-6]))).to.be.closeTo(1.6 * 0.9e-6, 1e-15);
  });

  it('has a minimum, and a maximum during the first two seconds', () => {
    expect(noiseOf(initialNoiseFloor)).to.equal(1e-9);
    expect(noiseOf(after([0]))).to.equal(1e-9);
    expect(noiseOf(after(repeated(1, 80)))).to.equal(2.5e-6);
    expect(noiseOf(after(repeated(1, 81)))).to.be.closeTo(1.6, 1e-9);
  });

  it('considers eight parts of ten frames', () => {
    const quietState = after([...repeated(1e-4, 80), ...repeated(1e-6, 40)]);
    const quietest = (quietState.smoothed[0] ?? 0) * 1.6;
    expect(noiseOf(quietState)).to.be.closeTo(quietest, 1e-12);
    const loud = (frames: number) => noiseOf(after(repeated(1e-2, frames), quietState));
    expect(loud(1)).to.be.closeTo(quietest, 1e-12);
    expect(loud(80)).to.be.closeTo(quietest, 1e-12);
    expect(loud(81)).to.be.closeTo(1.6 * (0.8 * (quietState.smoothed[0] ?? 0) + 0.2e-2), 1e-12);
    expect(loud(91)).to.be.above(1e-2);
  });
});

describe('voice activity: detector', () => {
  /** A detector after three seconds of steady noise. */
  const known = (() => {
    const sound = noise(0.01, 120 * frameSize, 7);
    let state = idleDetector;
    for (let n = 0; n < 120; n += 1) state = processFrame(state, sound.subarray(n * frameSize, (n + 1) * frameSize));
    return state;
  })();
  const frames = (amplitude: number, count: number): readonly Float32Array[] =>
    Array.from({ length: count }, (_, n) => {
      const [tone, rest] = [sine(amplitude, 1_000, frameSize, n * frameSize), noise(0.01, frameSize, 100 + n)];
      return tone.map((sample, at) => sample + (rest[at] ?? 0));
    });
  const states = (start: Detector, sounds: readonly (Float32Array | undefined)[]): readonly Detector[] => {
    let state = start;
    return sounds.map(
      (frame) => (state = frame === undefined ? processMissingFrame(state) : processFrame(state, frame)),
    );
  };
  const speakingIn = (all: readonly Detector[]) => all.map(({ speaking }) => (speaking ? 'x' : '.')).join('');

  it('begins with the second frame of speech, and ends seven frames after the last', () => {
    expect(known.speaking).to.equal(false);
    const result = states(known, [...frames(0.3, 4), ...frames(0, 12)]);
    expect(speakingIn(result)).to.equal('.xxxxxxxxxx.....');
  });

  it('ends seven frames after the last received frame', () => {
    const speech = states(known, frames(0.3, 4)).at(-1) ?? known;
    const lost = states(
      speech,
      Array.from({ length: 9 }, () => undefined),
    );
    expect(speakingIn(lost)).to.equal('xxxxxx...');
    expect(lost.every(({ floor }) => floor === speech.floor)).to.equal(true);
  });

  it('begins at one loudness, and continues at a lower one', () => {
    const amplitudes = [0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.008, 0.01, 0.015, 0.02];
    const speech = states(known, frames(0.3, 4)).at(-1) ?? known;
    const begins = (amplitude: number) => states(known, frames(amplitude, 12)).some(({ speaking }) => speaking);
    const goesOn = (amplitude: number) => states(speech, frames(amplitude, 12)).at(-1)?.hangOver;
    expect(amplitudes.map(begins)).to.deep.equal([false, false, false, false, true, true, true, true, true, true]);
    expect(amplitudes.map(goesOn)).to.deep.equal([0, 2, 5, 7, 7, 7, 7, 7, 7, 7]);
  });

  it('detects nothing below -60 dBFS', () => {
    const silent = states(
      idleDetector,
      Array.from({ length: 90 }, () => new Float32Array(frameSize)),
    ).at(-1);
    const statesAt = (amplitude: number) =>
      states(
        silent ?? idleDetector,
        Array.from({ length: 12 }, (_, n) => sine(amplitude, 1_000, frameSize, n * frameSize)),
      );
    expect(statesAt(0.0013).some(({ run }) => run > 0)).to.equal(false);
    expect(statesAt(0.0016).some(({ run }) => run > 0)).to.equal(true);
  });
});

describe('voice activity: levels and windows', () => {
  it('give levels from silence to full scale, rounded to a tenth', () => {
    const levels = [
      [0, -127],
      [-1, -127],
      [Number.NaN, -127],
      [1e-20, -127],
      [1e-12, -120],
      [0.5, -3],
      [0.1234, -9.1],
      [1, 0],
      [9, 0],
    ] as const;
    for (const [meanSquare, level] of levels) expect(levelOf(meanSquare), String(meanSquare)).to.equal(level);
  });

  it('add up squares, unless one is not a number', () => {
    expect(energyOf(Float32Array.of(1, -2, 3))).to.equal(14);
    expect(energyOf(Float32Array.of(1, Number.NaN))).to.equal(0);
    expect(energyOf(Float32Array.of(1, Infinity))).to.equal(0);
  });

  it('are speech if more than half of the frames are', () => {
    const detector: Detector = { ...idleDetector, speaking: true, hangOver: 7 };
    const speakingAfter = (hangOver: number) => {
      let windows = { ...initialWindows, detector: { ...detector, hangOver } };
      const completed = [];
      for (let n = 0; n < 10; n += 1) {
        const outcome = processAudioFrame(windows, undefined);
        windows = outcome.windows;
        completed.push(outcome.completed?.speaking);
      }
      return completed;
    };
    const nine = Array.from({ length: 9 }, () => undefined);
    expect(speakingAfter(6)).to.deep.equal([...nine, false]);
    expect(speakingAfter(7)).to.deep.equal([...nine, true]);
  });
});
