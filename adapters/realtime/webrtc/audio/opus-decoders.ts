import { OpusDecoder } from 'opus-decoder';

/** Decodes one Opus packet to 16 kHz mono; undefined when it has no sound or is no Opus. */
export type DecodeOpus = (packet: Uint8Array) => Float32Array | undefined;

export interface OpusDecoders {
  readonly borrow: () => Promise<{ readonly decode: DecodeOpus; readonly giveBack: () => void }>;
}

/** The decoder's input buffer. */
const longestPacket = 3_840;
/** A packet of at most two bytes says that nothing follows (discontinuous transmission); it has no sound. */
export const quietPacket = 2;
/** 20 ms of silence (RFC 6716): after ten of them a decoder remembers nothing of what it decoded before. */
const silence = Uint8Array.of(0xf8, 0xff, 0xfe);
const forgetting = 10;
const mostIdle = 32;

const made = async (): Promise<OpusDecoder<16_000>> => {
  const decoder = new OpusDecoder({ sampleRate: 16_000, channels: 1, streamCount: 1, coupledStreamCount: 0 });
  await decoder.ready;
  return decoder;
};

/** Decoders are WebAssembly instances with memory of their own: lent, and used again. */
export const opusDecoders = (): OpusDecoders => {
  const idle: OpusDecoder<16_000>[] = [];
  const giveBack = (decoder: OpusDecoder<16_000>): void => {
    if (idle.length >= mostIdle) {
      decoder.free();
      return;
    }
    for (let frame = 0; frame < forgetting; frame += 1) decoder.decodeFrame(silence);
    idle.push(decoder);
  };
  return {
    borrow: async () => {
      const decoder = idle.pop() ?? (await made());
      return {
        decode: (packet) => {
          if (packet.length <= quietPacket || packet.length > longestPacket) return undefined;
          const { channelData, errors } = decoder.decodeFrame(packet);
          return errors.length > 0 ? undefined : channelData[0];
        },
        giveBack: () => giveBack(decoder),
      };
    },
  };
};
