import { expect } from 'chai';
import * as fc from 'fast-check';
import type { RtpMedia } from '../../../adapters/realtime/webrtc/rtp.js';
import { frameCounter, type VideoWindow } from '../../../adapters/realtime/webrtc/video/frame-counter.js';
import { keyFrameSize } from '../../../adapters/realtime/webrtc/video/vp8.js';

/** A VP8 packet that begins a key frame of 640 by 480, after a payload descriptor. */
const keyFrame = (descriptor: readonly number[]): Uint8Array =>
  Uint8Array.of(...descriptor, 0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0xe0, 0x01, 0x00);

const packet = (
  picture: number,
  part: number,
  marker: boolean,
  payload: Uint8Array = Uint8Array.of(0x80, 1),
): RtpMedia => ({
  sequence: picture * 3 + part,
  timestamp: (2 ** 32 - 90_000 + picture * 3_000) % 2 ** 32,
  source: 5,
  marker,
  payload,
  arrivedAt: 1_000 + picture * (100 / 3) + part,
});

/** Two seconds of 30 pictures a second in 3 packets each, of which some are lost. */
const counted = (lost: (at: RtpMedia) => boolean = () => false): readonly VideoWindow[] => {
  const windows: VideoWindow[] = [];
  const counter = frameCounter(
    () => 1_000,
    (window) => windows.push(window),
  );
  for (let picture = 0; picture < 60; picture += 1) {
    for (const part of [0, 1, 2]) {
      const first = picture === 0 && part === 0;
      const sent = first ? packet(0, 0, false, keyFrame([0x10])) : packet(picture, part, part === 2);
      if (!lost(sent)) counter.take(sent, 'video/vp8');
    }
    counter.pass(1_000 + (picture + 1) * (100 / 3));
  }
  return windows;
};

describe('the pictures of a session', () => {
  it('are counted by the second, with the size that the key frame told', () => {
    const windows = counted();
    expect(windows.map(({ frames }) => frames)).to.deep.equal([30, 30]);
    expect(windows[1]).to.include({ start: 1, end: 2, width: 640, height: 480 });
  });

  it('count once, whichever of their packets are lost', () => {
    const total = (lost: (at: RtpMedia) => boolean) => counted(lost).reduce((sum, { frames }) => sum + frames, 0);
    expect(total(({ marker, sequence }) => marker && sequence < 177)).to.equal(60);
    expect(total(({ sequence }) => sequence % 3 === 1)).to.equal(60);
  });

  it('have the size of a VP8 key frame behind any payload descriptor', () => {
    const size = { width: 640, height: 480 };
    for (const descriptor of [
      [0x10],
      [0x90, 0x80, 0x05],
      [0x90, 0x80, 0x85, 0x01],
      [0x90, 0xe0, 0x85, 0x01, 0x02, 0x20],
    ])
      expect(keyFrameSize(keyFrame(descriptor)), descriptor.join()).to.deep.equal(size);
    expect(keyFrameSize(keyFrame([0x00]))).to.equal(undefined);
    expect(keyFrameSize(Uint8Array.of(0x10, 0x11, 0, 0x9d, 1, 0x2a, 0, 1, 0, 1, 0))).to.equal(undefined);
  });

  it('are read from any bytes without a fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (payload) => {
        const size = keyFrameSize(payload);
        if (size !== undefined) expect(size.width).to.be.within(0, 16_383);
      }),
    );
  });
});
