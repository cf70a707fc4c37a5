import { type RtpMedia, unwrap } from '../rtp.js';
import type { VoiceWindow } from '../../../../domain/voice-activity/windows.js';
import { type AudioTimeline, audioTimeline } from './audio-timeline.js';
import type { DecodeOpus } from './opus-decoders.js';

interface PacketOrder {
  /** Adds a packet and returns those that can be released in order. Late and duplicate packets are dropped. */
  readonly add: (packet: RtpMedia) => readonly RtpMedia[];
  /** Stops waiting for packets that have been missing for too long, and returns those behind them. */
  readonly expire: (now: number) => readonly RtpMedia[];
}

/** A missing packet is waited for until this many later ones are held, or until one was held for this long. */
const maxHeld = 4;
const maxWaitMs = 80;
/** A larger jump of the sequence number means that the sender restarted. */
const maxSequenceJump = 1_000;

/** A jitter buffer: puts the packets of one source in the order of their sequence numbers. */
export const packetOrder = (): PacketOrder => {
  const held = new Map<number, RtpMedia>();
  let next: number | undefined;

  const takeNext = (): RtpMedia | undefined => {
    if (next === undefined) return undefined;
    const packet = held.get(next);
    if (packet === undefined) return undefined;
    held.delete(next);
    next += 1;
    return packet;
  };
  const release = (): readonly RtpMedia[] => {
    const released: RtpMedia[] = [];
    for (let packet = takeNext(); packet !== undefined; packet = takeNext()) released.push(packet);
    return released;
  };
  const skipMissing = (): readonly RtpMedia[] => {
    next = Math.min(...held.keys());
    return release();
  };

  return {
    add: (packet) => {
      const sequence = unwrap(next ?? packet.sequence, packet.sequence, 16);
      if (next === undefined || Math.abs(sequence - next) > maxSequenceJump) {
        held.clear();
        next = sequence;
      }
      if (sequence < next) return [];
      held.set(sequence, packet);
      const released = release();
      return held.size >= maxHeld ? [...released, ...skipMissing()] : released;
    },
    expire: (now) => {
      if (held.size === 0) return [];
      const oldest = Math.min(...[...held.values()].map(({ arrivedAt }) => arrivedAt));
      return now - oldest > maxWaitMs ? skipMissing() : [];
    },
  };
};

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
