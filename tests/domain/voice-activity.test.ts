import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  frameSize,
  initialWindows,
  processAudioFrame,
  type VoiceWindow,
  type Detector,
  type NoiseFloor,
  processFrame,
  idleDetector,
  processMissingFrame,
  updateNoiseFloor,
  initialNoiseFloor,
  bandCount,
  bandPowers,
  spectrumSize,
} from '../../domain/voice-activity/detector.js';
import { randomFrom } from '../support/realtime/random.js';
import {
  activityOf,
  scoreActivity,
  turns,
  sampleRate,
  speechLike,
  withNoise,
} from '../support/realtime/speech-like.js';

const windowsOf = (frames: readonly (Float32Array | undefined)[]): readonly VoiceWindow[] => {
  let windows = initialWindows;
  return frames.flatMap((frame) => {
    const outcome = processAudioFrame(windows, frame);
    windows = outcome.windows;
    return outcome.completed === undefined ? [] : [outcome.completed];
  });
};

const conversation = turns(12, randomFrom(11));
const clean = speechLike(conversation, 12);

describe('voice activity', () => {
  const conditions = {
    'without noise': { sound: clean, precision: 0.91, recall: 0.98 },
    'in white noise at 10 dB': { sound: withNoise(clean, -33, 'white'), precision: 0.91, recall: 0.97 },
    'in white noise at 5 dB': { sound: withNoise(clean, -28, 'white'), precision: 0.91, recall: 0.95 },
    'in brown noise at 5 dB': { sound: withNoise(clean, -28, 'brown'), precision: 0.91, recall: 0.95 },
  };
  for (const [condition, { sound, precision, recall }] of Object.entries(conditions))
    it(`is found ${condition}`, () => {
      const score = scoreActivity(conversation, sound);
      expect(score.precision).to.be.at.least(precision);
      expect(score.recall).to.be.at.least(recall);
    });

  it('is not detected in silence, nor in steady noise after adaptation', () => {
    const silence = new Float32Array(10 * sampleRate);
    expect(activityOf(silence)).to.not.include(true);
    for (const colour of ['white', 'brown'] as const)
      expect(activityOf(withNoise(silence, -35, colour)).slice(120)).to.not.include(true);
  });

  it('is not detected in a click', () => {
    const clicks = new Float32Array(4 * sampleRate);
    for (let at = 8_000; at < clicks.length; at += 16_000) clicks[at] = 0.9;
    expect(activityOf(clicks)).to.not.include(true);
  });

  it('continues through pauses within words, and ends after words', () => {
    const activity = activityOf(
      speechLike([
        { seconds: 1, speech: false },
        { seconds: 2, speech: true },
        { seconds: 2, speech: false },
      ]),
    );
    expect(activity.slice(44, 118)).to.not.include(false);
    expect(activity.slice(130)).to.not.include(true);
  });

  it('gives finite results for any samples', () => {
    const samples = fc.float32Array({ minLength: frameSize, maxLength: frameSize });
    fc.assert(
      fc.property(fc.array(fc.option(samples, { nil: undefined }), { maxLength: 25 }), (frames) => {
        for (const { level_dbfs: level } of windowsOf(frames)) {
          expect(level).to.be.at.least(-127);
          expect(level).to.be.at.most(0);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('windows of voice activity', () => {
  it('follow each other, four in a second', () => {
    const windows = windowsOf(Array.from({ length: 85 }, () => sine(0.1, 440, frameSize)));
    expect(windows.map(({ start }) => start)).to.deep.equal([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75]);
    expect(windows.map(({ end }) => end)).to.deep.equal([0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]);
  });

  it('give the mean level of all their frames, including missing ones, relative to full scale', () => {
    expect(windowsOf(Array.from({ length: 10 }, () => sine(1, 1_000, frameSize)))[0]?.level_dbfs).to.equal(-3);
    expect(windowsOf(Array.from({ length: 10 }, () => sine(0.1, 1_000, frameSize)))[0]?.level_dbfs).to.equal(-23);
    expect(windowsOf(Array.from({ length: 10 }, () => sine(0.3, 1_000, frameSize)))[0]?.level_dbfs).to.equal(-13.5);
    const halves = windowsOf(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? sine(0.1, 1_000, frameSize) : undefined)),
    );
    expect(halves.map(({ level_dbfs }) => level_dbfs)).to.deep.equal([-26, -26]);
    expect(windowsOf(Array.from({ length: 10 }, () => undefined))[0]).to.deep.equal({
      start: 0,
      end: 0.25,
      speaking: false,
      level_dbfs: -127,
    });
  });
});

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

describe('voice activity: windows', () => {
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
