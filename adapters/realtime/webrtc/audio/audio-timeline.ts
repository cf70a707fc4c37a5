import { frameSize } from '../../../../domain/voice-activity/detector.js';
import {
  processAudioFrame,
  initialWindows,
  type VoiceWindow,
  type Windows,
} from '../../../../domain/voice-activity/windows.js';
import type { RtpMedia } from '../rtp.js';
import { mediaClock, samplesPerMs } from './media-clock.js';
import { type DecodeOpus, maxQuietPacketBytes } from './opus-decoders.js';

export interface AudioTimeline {
  /** Adds a packet; packets have to come in order. */
  readonly add: (packet: RtpMedia) => void;
  /** Fills with silence when no packets arrive: a sender with discontinuous transmission sends none while it is quiet. */
  readonly advance: (now: number) => void;
}

const windowSamples = 4_000;
const windowFrames = 10;
/** How long nothing may arrive before it counts as silence: after sound, and after a packet that announced silence. */
const maxGapMs = 500;
const maxQuietGapMs = 200;
/** A longer gap is skipped instead of filled with silence: nobody was connected. */
const maxFilledSamples = 3_000 * samplesPerMs;
/** Cuts samples into frames of 25 ms. A frame with half of its samples missing is undefined. The array is reused. */
const frameBuffer = (onFrame: (samples: Float32Array | undefined) => void) => {
  const pending = new Float32Array(frameSize);
  let filled = 0;
  let missing = 0;
  const advance = (samples: number): void => {
    filled += samples;
    if (filled < frameSize) return;
    onFrame(missing * 2 >= frameSize ? undefined : pending);
    pending.fill(0);
    filled = 0;
    missing = 0;
  };
  return {
    add: (samples: Float32Array): void => {
      for (let at = 0; at < samples.length;) {
        const part = samples.subarray(at, at + frameSize - filled);
        pending.set(part, filled);
        at += part.length;
        advance(part.length);
      }
    },
    addMissing: (samples: number): void => {
      for (let left = samples; left > 0;) {
        const part = Math.min(left, frameSize - filled);
        missing += part;
        left -= part;
        advance(part);
      }
    },
  };
};

/**
 * Puts the sound of one source on the session's timeline, in windows of 250 ms, whatever is lost, late or not sent.
 * `startsAtMs`: media time before the source began; `windowsBefore`: windows that were completed before it.
 */
export const audioTimeline = (
  decode: DecodeOpus,
  startsAtMs: number,
  windowsBefore: number,
  completed: (window: VoiceWindow) => void,
): AudioTimeline => {
  let windows: Windows = { ...initialWindows, framesBefore: windowsBefore * windowFrames };
  let written = windowsBefore * windowSamples;
  let last: { arrivedAt: number; end: number; quiet: boolean } | undefined;
  const positionOf = mediaClock(startsAtMs);

  const frames = frameBuffer((frame) => {
    const heard = processAudioFrame(windows, frame);
    windows = heard.windows;
    if (heard.completed !== undefined) completed(heard.completed);
  });
  const fillGap = (samples: number): void => {
    const skipped = samples > maxFilledSamples ? Math.floor(samples / windowSamples) : 0;
    windows = { ...windows, framesBefore: windows.framesBefore + skipped * windowFrames };
    frames.addMissing(samples - skipped * windowSamples);
    written += samples;
  };
  return {
    add: (packet) => {
      const position = positionOf(packet, written);
      const samples = decode(packet.payload);
      if (position > written) fillGap(position - written);
      const length = samples?.length ?? 0;
      const fresh = samples?.subarray(Math.min(length, written - position));
      if (fresh !== undefined) {
        frames.add(fresh);
        written += fresh.length;
      }
      const quiet = packet.payload.length <= maxQuietPacketBytes;
      last = { arrivedAt: packet.arrivedAt, end: position + length, quiet };
    },
    advance: (now) => {
      if (last === undefined) return;
      const gapMs = last.quiet ? maxQuietGapMs : maxGapMs;
      const due = last.end + Math.floor((now - last.arrivedAt - gapMs) * samplesPerMs);
      if (due > written) fillGap(due - written);
    },
  };
};
