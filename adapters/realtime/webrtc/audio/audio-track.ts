import type { VoiceWindow } from '../../../../domain/voice-activity/windows.js';
import type { RtpMedia } from '../rtp.js';
import { type AudioTimeline, audioTimeline } from './audio-timeline.js';
import type { DecodeOpus } from './opus-decoders.js';
import { type PacketOrder, packetOrder } from './packet-order.js';

export interface AudioTrack {
  readonly take: (packet: RtpMedia) => void;
  /** Lets time pass; to be called several times a second while the peer is connected. */
  readonly pass: (now: number) => void;
}

/** Another source is heard once the one that is heard has been still for this many milliseconds. */
const takeOver = 1_000;
const windowLength = 250;

/**
 * The sound of a session: of several sources the first that sends, until it is still. `mediaStart`: when the first
 * media of the session came.
 */
export const audioTrack = (
  decode: DecodeOpus,
  mediaStart: () => number,
  completed: (window: VoiceWindow) => void,
): AudioTrack => {
  let heard: { source: number; at: number; order: PacketOrder; timeline: AudioTimeline } | undefined;
  let reached: number | undefined;
  const report = (window: VoiceWindow): void => {
    reached = Math.round((window.end * 1_000) / windowLength);
    completed(window);
  };
  const listenTo = (packet: RtpMedia) => {
    const startsAt = packet.arrivedAt - mediaStart();
    reached ??= Math.floor(startsAt / windowLength);
    const timeline = audioTimeline(decode, startsAt, reached, report);
    heard = { source: packet.source, at: packet.arrivedAt, order: packetOrder(), timeline };
    return heard;
  };
  return {
    take: (packet) => {
      const now = packet.arrivedAt;
      const changes = heard === undefined || (heard.source !== packet.source && now - heard.at > takeOver);
      const current = changes || heard === undefined ? listenTo(packet) : heard;
      if (current.source !== packet.source) return;
      current.at = now;
      for (const next of current.order.take(packet)) current.timeline.hear(next);
    },
    pass: (now) => {
      if (heard === undefined) return;
      for (const packet of heard.order.expire(now)) heard.timeline.hear(packet);
      heard.timeline.pass(now);
    },
  };
};
