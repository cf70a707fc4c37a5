import { frameSize } from '../../../../domain/voice-activity/detector.js';

export interface SampleFrames {
  readonly add: (samples: Float32Array) => void;
  /** So many samples never came. */
  readonly addMissing: (samples: number) => void;
}

/** Cuts samples into frames of 25 ms; one of which half is missing is given as undefined. The frame is overwritten afterwards. */
export const sampleFrames = (frame: (samples: Float32Array | undefined) => void): SampleFrames => {
  const pending = new Float32Array(frameSize);
  let filled = 0;
  let missing = 0;
  const advance = (samples: number): void => {
    filled += samples;
    if (filled < frameSize) return;
    frame(missing * 2 >= frameSize ? undefined : pending);
    pending.fill(0);
    filled = 0;
    missing = 0;
  };
  return {
    add: (samples) => {
      for (let at = 0; at < samples.length;) {
        const part = samples.subarray(at, at + frameSize - filled);
        pending.set(part, filled);
        at += part.length;
        advance(part.length);
      }
    },
    addMissing: (samples) => {
      for (let left = samples; left > 0;) {
        const part = Math.min(left, frameSize - filled);
        missing += part;
        left -= part;
        advance(part);
      }
    },
  };
};
