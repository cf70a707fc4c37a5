import { expect } from 'chai';
import * as fc from 'fast-check';
import type { RtpMedia } from '../../../adapters/realtime/webrtc/rtp.js';
import { frameCounter, keyFrameSize, type VideoWindow } from '../../../adapters/realtime/webrtc/frame-counter.js';

/** A VP8 packet that begins a key frame of 640 by 480, after a payload descriptor. */
const keyFrame = (descriptor: readonly number[]): Uint8Array =>
  Uint8Array.of(...descriptor, 0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0xe0, 0x01, 0x00);

const packet = (
  frame: number,
  part: number,
  marker: boolean,
  payload: Uint8Array = Uint8Array.of(0x80, 1),
): RtpMedia => ({
  sequence: frame * 3 + part,
  timestamp: (2 ** 32 - 90_000 + frame * 3_000) % 2 ** 32,
  source: 5,
  marker,
  payload,
  arrivedAt: 1_000 + frame * (100 / 3) + part,
});

/** The windows for two seconds of video with 30 frames a second and 3 packets a frame. `lost`: packets not delivered. */
const counted = (lost: (at: RtpMedia) => boolean = () => false): readonly VideoWindow[] => {
  const windows: VideoWindow[] = [];
  const counter = frameCounter(
    () => 1_000,
    (window) => windows.push(window),
  );
  for (let frame = 0; frame < 60; frame += 1) {
    for (const part of [0, 1, 2]) {
      const first = frame === 0 && part === 0;
      const sent = first ? packet(0, 0, false, keyFrame([0x10])) : packet(frame, part, part === 2);
      if (!lost(sent)) counter.add(sent, 'video/vp8');
    }
    counter.advance(1_000 + (frame + 1) * (100 / 3));
  }
  return windows;
};

describe('frame counter', () => {
  it('counts frames per second and reports the size from the key frame', () => {
    const windows = counted();
    expect(windows.map(({ frames }) => frames)).to.deep.equal([30, 30]);
    expect(windows[1]).to.include({ start: 1, end: 2, width: 640, height: 480 });
  });

  it('counts each frame once, whichever of its packets are lost', () => {
    const total = (lost: (at: RtpMedia) => boolean) => counted(lost).reduce((sum, { frames }) => sum + frames, 0);
    expect(total(({ marker, sequence }) => marker && sequence < 177)).to.equal(60);
    expect(total(({ sequence }) => sequence % 3 === 1)).to.equal(60);
  });

  it('reads the size of a VP8 key frame behind any payload descriptor', () => {
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

  it('reads arbitrary bytes without failing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (payload) => {
        const size = keyFrameSize(payload);
        if (size !== undefined) expect(size.width).to.be.within(0, 16_383);
      }),
    );
  });
});
