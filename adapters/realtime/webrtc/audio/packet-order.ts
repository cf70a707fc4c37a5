import { type RtpMedia, unwrapped } from '../rtp.js';

export interface PacketOrder {
  /** Takes a packet; those that are now in order, in order. Late ones and repetitions are dropped. */
  readonly take: (packet: RtpMedia) => readonly RtpMedia[];
  /** Gives up waiting for packets that others have overtaken too long ago. */
  readonly expire: (now: number) => readonly RtpMedia[];
}

/** A packet is waited for while fewer than this many have overtaken it, and this many milliseconds. */
const mostHeld = 4;
const longestWait = 80;
/** A farther jump is a sender that started anew. */
const farthestJump = 1_000;

/** Puts the packets of one source in order by their sequence numbers. */
export const packetOrder = (): PacketOrder => {
  const held = new Map<number, RtpMedia>();
  let next: number | undefined;

  const release = (): readonly RtpMedia[] => {
    const out: RtpMedia[] = [];
    for (let packet = take(); packet !== undefined; packet = take()) out.push(packet);
    return out;
  };
  const take = (): RtpMedia | undefined => {
    if (next === undefined) return undefined;
    const packet = held.get(next);
    if (packet === undefined) return undefined;
    held.delete(next);
    next += 1;
    return packet;
  };
  const skip = (): readonly RtpMedia[] => {
    next = Math.min(...held.keys());
    return release();
  };

  return {
    take: (packet) => {
      const sequence = unwrapped(next ?? packet.sequence, packet.sequence, 16);
      if (next === undefined || Math.abs(sequence - next) > farthestJump) {
        held.clear();
        next = sequence;
      }
      if (sequence < next) return [];
      held.set(sequence, packet);
      const out = release();
      return held.size >= mostHeld ? [...out, ...skip()] : out;
    },
    expire: (now) => {
      if (held.size === 0) return [];
      const oldest = Math.min(...[...held.values()].map(({ arrivedAt }) => arrivedAt));
      return now - oldest > longestWait ? skip() : [];
    },
  };
};
