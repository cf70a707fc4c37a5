import type { VoiceWindow } from '../../../../domain/voice-activity/windows.js';
import type { RtpMedia } from '../rtp.js';
import { type AudioTimeline, audioTimeline } from './audio-timeline.js';
import type { DecodeOpus } from './opus-decoders.js';
import { type PacketOrder, packetOrder } from './packet-order.js';

export interface AudioTrack {
  readonly add: (packet: RtpMedia) => void;
  /** Tells the track the time; to be called several times a second while the peer is connected. */
  readonly advance: (now: number) => void;
}

/** Another source takes over when the current one has sent nothing for this long. */
const takeOverMs = 1_000;
const windowMs = 250;

/**
 * The audio of a session. If there are several sources, the first one that sends is analysed until it stops.
 * `mediaStart`: when the first media of the session arrived.
 */
export const audioTrack = (
  decode: DecodeOpus,
  mediaStart: () => number,
  completed: (window: VoiceWindow) => void,
): AudioTrack => {
  let current: { source: number; lastAt: number; order: PacketOrder; timeline: AudioTimeline } | undefined;
  let completedWindows: number | undefined;
  const report = (window: VoiceWindow): void => {
    completedWindows = Math.round((window.end * 1_000) / windowMs);
    completed(window);
  };
  const switchTo = (packet: RtpMedia) => {
    const startsAt = packet.arrivedAt - mediaStart();
    completedWindows ??= Math.floor(startsAt / windowMs);
    const timeline = audioTimeline(decode, startsAt, completedWindows, report);
    current = { source: packet.source, lastAt: packet.arrivedAt, order: packetOrder(), timeline };
    return current;
  };
  return {
    add: (packet) => {
      const now = packet.arrivedAt;
      const isOther = current !== undefined && current.source !== packet.source && now - current.lastAt > takeOverMs;
      const chosen = current === undefined || isOther ? switchTo(packet) : current;
      if (chosen.source !== packet.source) return;
      chosen.lastAt = now;
      for (const next of chosen.order.add(packet)) chosen.timeline.add(next);
    },
    advance: (now) => {
      if (current === undefined) return;
      for (const packet of current.order.expire(now)) current.timeline.add(packet);
      current.timeline.advance(now);
    },
  };
};
