import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  audioTrack,
  frameCounter,
  keyFrameSize,
  type RtpMedia,
  type VideoWindow,
} from '../../../adapters/realtime/webrtc/media-tracks.js';
import { type DecodeOpus, opusDecoders } from '../../../adapters/realtime/webrtc/opus-decoders.js';
import type { VoiceWindow } from '../../../domain/voice-activity/detector.js';
import { isLongForm } from '../../support/long-form.js';
import { opusPackets, speechLike, spokenIn, type Stretch } from '../../support/realtime/speech-like.js';
import { randomFrom } from '../../support/realtime/random.js';

const stretches: readonly Stretch[] = [
  { seconds: 1.5, speech: false },
  { seconds: 2, speech: true },
  { seconds: 2, speech: false },
  { seconds: 1.5, speech: true },
  { seconds: 1, speech: false },
];
const sound = opusPackets(speechLike(stretches, 5));

const arriving = (packets: readonly Uint8Array[], delay: (at: number) => number = () => 0): readonly RtpMedia[] =>
  packets
    .map((payload, at) => ({
      sequence: (65_500 + at) % 65_536,
      timestamp: (2 ** 32 - 9_600 + at * 960) % 2 ** 32,
      source: 7,
      marker: false,
      payload,
      arrivedAt: 1_000 + at * 20 + delay(at),
    }))
    .sort((a, b) => a.arrivedAt - b.arrivedAt);

/** The windows that a track reports for packets, with time advanced until one second after the last packet. */
const windowsOf = (decode: DecodeOpus, packets: readonly RtpMedia[], mediaStart = 1_000): readonly VoiceWindow[] => {
  const windows: VoiceWindow[] = [];
  const track = audioTrack(
    decode,
    () => mediaStart,
    (window) => windows.push(window),
  );
  let next = 0;
  const last = packets.at(-1)?.arrivedAt ?? 0;
  for (let now = 1_000; now <= last + 1_000; now += 10) {
    for (let packet = packets[next]; packet !== undefined && packet.arrivedAt <= now; packet = packets[next]) {
      track.add(packet);
      next += 1;
    }
    if (now % 50 === 0) track.advance(now);
  }
  return windows;
};

const expectContiguous = (windows: readonly VoiceWindow[]): void => {
  for (const [at, { start, end }] of windows.entries()) {
    expect(end - start).to.equal(0.25);
    if (at > 0) expect(start).to.equal(windows[at - 1]?.end);
  }
};

const expectSpeechFound = (windows: readonly VoiceWindow[]): void => {
  expectContiguous(windows);
  const truth = spokenIn(stretches);
  for (const { start, end, speaking } of windows) {
    const inside = truth.some((speech) => start >= speech.start + 0.3 && end <= speech.end - 0.3);
    const outside = truth.every((speech) => end <= speech.start - 0.3 || start >= speech.end + 0.3);
    if (inside) expect(speaking, `${start}`).to.equal(true);
    if (outside) expect(speaking, `${start}`).to.equal(false);
  }
};

/** Speech at 2 s, and three seconds after a stall of so many seconds that begins at 5 s. */
const aroundStall = (seconds: number) => {
  const stall = { from: 5_000, to: 5_000 + seconds * 1_000 };
  const heard: readonly Stretch[] = [
    { seconds: 2, speech: false },
    { seconds: 1.5, speech: true },
    { seconds: 1.5 + seconds + 3, speech: false },
    { seconds: 2, speech: true },
    { seconds: 1, speech: false },
  ];
  const sent = arriving(opusPackets(speechLike(heard, 6)));
  const isDuring = ({ arrivedAt }: RtpMedia): boolean =>
    arrivedAt >= 1_000 + stall.from && arrivedAt < 1_000 + stall.to;
  return { sent, isDuring, releasedAt: 1_000 + stall.to, speech: spokenIn(heard) };
};

/** Both stretches of speech are where they were spoken, to a third of a second. */
const expectSpeechAt = (
  windows: readonly VoiceWindow[],
  speech: readonly { readonly start: number; readonly end: number }[],
): void => {
  const spoken = windows.filter(({ speaking }) => speaking);
  expect(spoken, 'speech was found').not.to.have.length(0);
  for (const { start, end } of spoken)
    expect(
      speech.some((one) => start >= one.start - 0.3 && end <= one.end + 0.5),
      `no speech from ${start} to ${end}`,
    ).to.equal(true);
  for (const { start, end } of speech)
    expect(spoken.filter((one) => one.start >= start && one.end <= end).length, `${start}`).to.be.greaterThan(3);
};

/** No window is reported twice or out of order. */
const expectOrdered = (windows: readonly VoiceWindow[]): void =>
  windows.forEach(({ start }, at) => expect(start).to.be.at.least(windows[at - 1]?.end ?? 0));

describe('audio track', () => {
  let decode: DecodeOpus;
  let giveBack: () => void;
  beforeEach(async () => {
    ({ decode, giveBack } = await opusDecoders().borrow());
  });
  afterEach(() => {
    giveBack();
  });

  it('finds speech within 0.3 s of where it is', () => {
    const windows = windowsOf(decode, arriving(sound));
    expectSpeechFound(windows);
    expect(windows.length).to.be.within(32, 36);
  });

  it('copes with jitter, reordered packets, duplicates and the loss of one in ten', () => {
    const random = randomFrom(3);
    const packets = arriving(sound, () => Math.floor(random() * 50));
    const windows = windowsOf(
      decode,
      packets.filter(() => random() > 0.1).flatMap((packet) => [packet, packet]),
    );
    expectSpeechFound(windows);
  });

  it('reports silence while a sender with discontinuous transmission sends nothing', () => {
    const silentPacket = Uint8Array.of(0x08);
    const silent = (at: number): boolean =>
      spokenIn(stretches).every(({ start, end }) => at * 0.02 < start || at * 0.02 > end + 0.1);
    const packets = arriving(sound.map((payload, at) => (silent(at) ? silentPacket : payload))).filter(
      ({ payload }, at) => payload !== silentPacket || at % 20 === 0,
    );
    const sent = packets.map((packet, at) => ({ ...packet, sequence: at }));
    const windows = windowsOf(decode, sent);
    expectSpeechFound(windows);
  });

  it('begins with the first audio packet if video came before', () => {
    expect(windowsOf(decode, arriving(sound), 0)[0]?.start).to.equal(1);
  });

  it('copes with a sender that starts again: its sequence numbers and timestamps jump', () => {
    const half = sound.length / 2;
    const packets = arriving(sound).map((packet, at) =>
      at < half
        ? packet
        : {
            ...packet,
            sequence: (packet.sequence + 30_000) % 65_536,
            timestamp: (packet.timestamp + 2 ** 31 - 12_345) % 2 ** 32,
          },
    );
    const windows = windowsOf(decode, packets);
    expectContiguous(windows);
    expect(windows.length).to.be.within(32, 36);
  });

  it('reports silence for packets that are not Opus', () => {
    const windows = windowsOf(() => undefined, arriving(sound));
    expectContiguous(windows);
    expect(windows.every(({ speaking, level_dbfs: level }) => !speaking && level === -127)).to.equal(true);
  });

  it('analyses one source at a time', () => {
    const first = arriving(sound.slice(0, 100));
    const second = arriving(sound).map((packet) => ({ ...packet, source: 8 }));
    const windows = windowsOf(
      decode,
      [...first, ...second].sort((a, b) => a.arrivedAt - b.arrivedAt),
    );
    expectContiguous(windows);
    expect(windows.length).to.be.within(31, 36);
  });

  type Stall = ReturnType<typeof aroundStall>;
  const heldUntilReleased = ({ sent, isDuring, releasedAt }: Stall): readonly RtpMedia[] =>
    sent.map((packet) => (isDuring(packet) ? { ...packet, arrivedAt: releasedAt } : packet));
  /** What becomes of the packets of a stall. */
  const stalls: Readonly<Record<string, (stall: Stall) => readonly RtpMedia[]>> = {
    'what was held comes late': heldUntilReleased,
    'everything is lost': ({ sent, isDuring }) => sent.filter((packet) => !isDuring(packet)),
    'the sender and its timestamps stand still': ({ sent, isDuring }) =>
      sent
        .filter((packet) => !isDuring(packet))
        .map((packet, at) => ({ ...packet, sequence: at, timestamp: at * 960 })),
  };
  for (const seconds of isLongForm ? [1, 5, 9, 12, 20, 60] : [1, 12])
    for (const [what, become] of Object.entries(stalls))
      it(`keeps its times when delivery stalls for ${seconds} s: ${what}`, () => {
        const stall = aroundStall(seconds);
        const windows = windowsOf(decode, become(stall));
        expectOrdered(windows);
        expectSpeechAt(windows, stall.speech);
      });

  it('keeps its times when delivery stalls at the very beginning', () => {
    const late = arriving(sound).map((packet) => ({ ...packet, arrivedAt: Math.max(packet.arrivedAt, 6_000) }));
    const windows = windowsOf(decode, late, 6_000);
    expectSpeechFound(windows);
  });
});

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
