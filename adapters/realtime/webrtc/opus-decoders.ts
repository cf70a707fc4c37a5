import { OpusDecoder } from 'opus-decoder';

/** Decodes one Opus packet to 16 kHz mono; undefined when it has no sound or is not valid Opus. */
export type DecodeOpus = (packet: Uint8Array) => Float32Array | undefined;

export interface OpusDecoders {
  readonly borrow: () => Promise<{ readonly decode: DecodeOpus; readonly giveBack: () => void }>;
}

/** The size of the decoder's input buffer. */
const maxPacketBytes = 3_840;
/** A packet this short has no sound: it announces that nothing follows (discontinuous transmission). */
export const maxQuietPacketBytes = 2;
/** 20 ms of silence (RFC 6716). After ten of these frames a decoder has forgotten what it decoded before. */
const silence = Uint8Array.of(0xf8, 0xff, 0xfe);
const resetFrames = 10;
const maxIdle = 32;

const newDecoder = async (): Promise<OpusDecoder<16_000>> => {
  const decoder = new OpusDecoder({ sampleRate: 16_000, channels: 1, streamCount: 1, coupledStreamCount: 0 });
  await decoder.ready;
  return decoder;
};

/** A pool of decoders: each is a WebAssembly instance with memory of its own, which is costly to create. */
export const opusDecoders = (): OpusDecoders => {
  const idle: OpusDecoder<16_000>[] = [];
  const giveBack = (decoder: OpusDecoder<16_000>): void => {
    if (idle.length >= maxIdle) {
      decoder.free();
      return;
    }
    for (let frame = 0; frame < resetFrames; frame += 1) decoder.decodeFrame(silence);
    idle.push(decoder);
  };
  return {
    borrow: async () => {
      const decoder = idle.pop() ?? (await newDecoder());
      return {
        decode: (packet) => {
          if (packet.length <= maxQuietPacketBytes || packet.length > maxPacketBytes) return undefined;
          const { channelData, errors } = decoder.decodeFrame(packet);
          return errors.length > 0 ? undefined : channelData[0];
        },
        giveBack: () => giveBack(decoder),
      };
    },
  };
};
