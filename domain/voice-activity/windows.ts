import { type Detector, frameSize, hear, idleDetector, miss, energyOf, levelOf } from './detector.js';

/** What a stretch of a quarter of a second was like; times in seconds. */
export interface VoiceWindow {
  readonly start: number;
  readonly end: number;
  readonly speaking: boolean;
  readonly level_dbfs: number;
}

const framesPerWindow = 10;
const frameSeconds = 0.025;
/** More than half of the window. */
const speakingFrames = 6;

export interface Windows {
  readonly detector: Detector;
  readonly framesBefore: number;
  readonly frames: number;
  readonly speaking: number;
  readonly energy: number;
}

export const noWindows: Windows = { detector: idleDetector, framesBefore: 0, frames: 0, speaking: 0, energy: 0 };

export interface Heard {
  readonly windows: Windows;
  /** The window that this frame has completed. */
  readonly completed: VoiceWindow | undefined;
}

const seconds = (frames: number): number => Math.round(frames * frameSeconds * 1000) / 1000;

/**
 * One more frame of 25 ms: 400 samples at 16 kHz, or undefined where none came, which is silence. Each tenth completes
 * a window, so that there are four in a second of media time.
 */
export const hearFrame = (state: Windows, frame: Float32Array | undefined): Heard => {
  const detector = frame === undefined ? miss(state.detector) : hear(state.detector, frame);
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
