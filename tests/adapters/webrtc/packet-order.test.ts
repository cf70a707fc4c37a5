import { expect } from 'chai';
import * as fc from 'fast-check';
import { packetOrder } from '../../../adapters/realtime/webrtc/audio/packet-order.js';
import type { RtpMedia } from '../../../adapters/realtime/webrtc/rtp.js';
import { unwrapped } from '../../../adapters/realtime/webrtc/rtp.js';

const packet = (sequence: number, arrivedAt = 0): RtpMedia => ({
  sequence: sequence % 65_536,
  timestamp: (sequence * 960) % 2 ** 32,
  source: 1,
  marker: false,
  payload: Uint8Array.of(1),
  arrivedAt,
});

const taken = (sequences: readonly number[]): readonly number[] => {
  const order = packetOrder();
  return sequences.flatMap((sequence) => order.take(packet(sequence)).map((out) => out.sequence));
};

describe('the order of packets', () => {
  it('is that of their numbers, over the end of the counter too', () => {
    expect(taken([65_534, 65_535, 65_537, 65_536, 65_538])).to.deep.equal([65_534, 65_535, 0, 1, 2]);
  });

  it('leaves out repetitions and those that come too late', () => {
    expect(taken([5, 6, 6, 8, 9, 10, 11, 7, 12])).to.deep.equal([5, 6, 8, 9, 10, 11, 12]);
  });

  it('waits a while for one that is missing, not for ever', () => {
    const order = packetOrder();
    order.take(packet(1));
    expect(order.take(packet(3, 20))).to.deep.equal([]);
    expect(order.expire(60)).to.deep.equal([]);
    expect(order.expire(120).map(({ sequence }) => sequence)).to.deep.equal([3]);
  });

  it('begins anew where a sender does', () => {
    expect(taken([10, 11, 30_000, 30_001])).to.deep.equal([10, 11, 30_000, 30_001]);
  });

  it('is kept for neighbours that change places, with none lost', () => {
    fc.assert(
      fc.property(fc.nat(65_535), fc.array(fc.boolean(), { maxLength: 40 }), (first, swaps) => {
        const sent = [first, ...swaps.map((_, at) => first + 1 + at)];
        const changed = [...sent];
        for (let at = 1; at + 1 < changed.length; at += 2)
          if (swaps[at]) [changed[at], changed[at + 1]] = [changed[at + 1] ?? 0, changed[at] ?? 0];
        expect(taken(changed)).to.deep.equal(sent.map((sequence) => sequence % 65_536));
      }),
    );
  });

  it('unwraps a counter to the nearest value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: -30_000, max: 30_000 }), (before, step) => {
        expect(unwrapped(before, (((before + step) % 65_536) + 65_536) % 65_536, 16)).to.equal(before + step);
      }),
    );
  });
});
