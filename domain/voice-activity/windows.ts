import {
  type Detector,
  frameSize,
  processFrame,
  idleDetector,
  processMissingFrame,
  energyOf,
  levelOf,
} from './detector.js';

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
