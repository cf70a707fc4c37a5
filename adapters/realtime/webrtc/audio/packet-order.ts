import { type RtpMedia, unwrap } from '../rtp.js';

export interface PacketOrder {
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
