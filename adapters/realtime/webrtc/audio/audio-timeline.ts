import { hearFrame, noWindows, type VoiceWindow, type Windows } from '../../../../domain/voice-activity/windows.js';
import type { RtpMedia } from '../rtp.js';
import { type DecodeOpus, quietPacket } from './opus-decoders.js';
import { packetClock, perMillisecond } from './packet-clock.js';
import { sampleFrames } from './sample-frames.js';

export interface AudioTimeline {
  /** Hears a packet; packets come in order. */
  readonly hear: (packet: RtpMedia) => void;
  /** Lets time pass while nothing comes: silence, as a sender with discontinuous transmission means it. */
  readonly pass: (now: number) => void;
}

const windowSamples = 4_000;
const windowFrames = 10;
/** So long nothing may come before it is taken for silence, in milliseconds: while sending, and in quiet. */
const longestGap = 500;
const longestQuietGap = 200;
/** A longer silence than this is left out: nobody was connected. */
const longestFilled = 3_000 * perMillisecond;

/**
 * The sound of one source on the time of the session, in windows of a quarter of a second, whatever is lost, late or
 * not sent. `startsAt`: milliseconds of media before it; `windowsBefore`: windows that were completed before it.
 */
export const audioTimeline = (
  decode: DecodeOpus,
  startsAt: number,
  windowsBefore: number,
  completed: (window: VoiceWindow) => void,
): AudioTimeline => {
  let windows: Windows = { ...noWindows, framesBefore: windowsBefore * windowFrames };
  let written = windowsBefore * windowSamples;
  let last: { arrivedAt: number; end: number; quiet: boolean } | undefined;
  const positionOf = packetClock(startsAt);

  const frames = sampleFrames((frame) => {
    const heard = hearFrame(windows, frame);
    windows = heard.windows;
    if (heard.completed !== undefined) completed(heard.completed);
  });
  const miss = (samples: number): void => {
    const skipped = samples > longestFilled ? Math.floor(samples / windowSamples) : 0;
    windows = { ...windows, framesBefore: windows.framesBefore + skipped * windowFrames };
    frames.addMissing(samples - skipped * windowSamples);
    written += samples;
  };
  return {
    hear: (packet) => {
      const position = positionOf(packet, written);
      const samples = decode(packet.payload);
      if (position > written) miss(position - written);
      const length = samples?.length ?? 0;
      const fresh = samples?.subarray(Math.min(length, written - position));
      if (fresh !== undefined) {
        frames.add(fresh);
        written += fresh.length;
      }
      const quiet = packet.payload.length <= quietPacket;
      last = { arrivedAt: packet.arrivedAt, end: position + length, quiet };
    },
    pass: (now) => {
      if (last === undefined) return;
      const gap = last.quiet ? longestQuietGap : longestGap;
      const due = last.end + Math.floor((now - last.arrivedAt - gap) * perMillisecond);
      if (due > written) miss(due - written);
    },
  };
};
