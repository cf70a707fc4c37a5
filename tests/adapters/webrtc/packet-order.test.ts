import * as fc from 'fast-check';
import { expect } from 'chai';
import { type RtpMedia, unwrap } from '../../../adapters/realtime/webrtc/rtp.js';
import { packetOrder } from '../../../adapters/realtime/webrtc/audio/audio-track.js';

const packet = (sequence: number, arrivedAt = 0): RtpMedia => ({
  sequence: sequence % 65_536,
  timestamp: (sequence * 960) % 2 ** 32,
  source: 1,
  marker: false,
  payload: Uint8Array.of(1),
  arrivedAt,
});

const released = (sequences: readonly number[]): readonly number[] => {
  const order = packetOrder();
  return sequences.flatMap((sequence) => order.add(packet(sequence)).map(({ sequence: number }) => number));
};

describe('packet order', () => {
  it('follows the sequence numbers, also when the counter wraps around', () => {
    expect(released([65_534, 65_535, 65_537, 65_536, 65_538])).to.deep.equal([65_534, 65_535, 0, 1, 2]);
  });

  it('drops duplicate and late packets', () => {
    expect(released([5, 6, 6, 8, 9, 10, 11, 7, 12])).to.deep.equal([5, 6, 8, 9, 10, 11, 12]);
  });

  it('waits for a missing packet for a limited time', () => {
    const order = packetOrder();
    order.add(packet(1));
    expect(order.add(packet(3, 20))).to.deep.equal([]);
    expect(order.expire(60)).to.deep.equal([]);
    expect(order.expire(120).map(({ sequence }) => sequence)).to.deep.equal([3]);
  });

  it('restarts when the sender restarts', () => {
    expect(released([10, 11, 30_000, 30_001])).to.deep.equal([10, 11, 30_000, 30_001]);
  });

  it('restores swapped neighbours and loses no packet', () => {
    fc.assert(
      fc.property(fc.nat(65_535), fc.array(fc.boolean(), { maxLength: 40 }), (first, swaps) => {
        const sent = [first, ...swaps.map((_, at) => first + 1 + at)];
        const changed = [...sent];
        for (let at = 1; at + 1 < changed.length; at += 2)
          if (swaps[at]) [changed[at], changed[at + 1]] = [changed[at + 1] ?? 0, changed[at] ?? 0];
        expect(released(changed)).to.deep.equal(sent.map((sequence) => sequence % 65_536));
      }),
    );
  });

  it('unwraps a counter to the nearest value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: -30_000, max: 30_000 }), (before, step) => {
        expect(unwrap(before, (((before + step) % 65_536) + 65_536) % 65_536, 16)).to.equal(before + step);
      }),
    );
  });
});
