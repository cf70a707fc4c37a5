import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  frameSize,
  initialWindows,
  processAudioFrame,
  type VoiceWindow,
} from '../../domain/voice-activity/detector.js';
import { randomFrom } from '../support/realtime/random.js';
import { activityOf, scoreActivity, turns } from '../support/realtime/score-activity.js';
import { sampleRate, speechLike, withNoise } from '../support/realtime/speech-like.js';

const windowsOf = (frames: readonly (Float32Array | undefined)[]): readonly VoiceWindow[] => {
  let windows = initialWindows;
  return frames.flatMap((frame) => {
    const outcome = processAudioFrame(windows, frame);
    windows = outcome.windows;
    return outcome.completed === undefined ? [] : [outcome.completed];
  });
};

const sine = (amplitude: number, hertz: number): Float32Array =>
  Float32Array.from({ length: frameSize }, (_, at) => amplitude * Math.sin((2 * Math.PI * hertz * at) / sampleRate));

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
    const windows = windowsOf(Array.from({ length: 85 }, () => sine(0.1, 440)));
    expect(windows.map(({ start }) => start)).to.deep.equal([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75]);
    expect(windows.map(({ end }) => end)).to.deep.equal([0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]);
  });

  it('give the mean level of all their frames, including missing ones, relative to full scale', () => {
    expect(windowsOf(Array.from({ length: 10 }, () => sine(1, 1_000)))[0]?.level_dbfs).to.equal(-3);
    expect(windowsOf(Array.from({ length: 10 }, () => sine(0.1, 1_000)))[0]?.level_dbfs).to.equal(-23);
    const halves = windowsOf(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? sine(0.1, 1_000) : undefined)));
    expect(halves.map(({ level_dbfs }) => level_dbfs)).to.deep.equal([-26, -26]);
    expect(windowsOf(Array.from({ length: 10 }, () => undefined))[0]).to.deep.equal({
      start: 0,
      end: 0.25,
      speaking: false,
      level_dbfs: -127,
    });
  });
});
