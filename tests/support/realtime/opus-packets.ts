import { Encoder } from '@evan/opus';

/** Samples of one packet of 20 ms at 16 kHz. */
export const packetSamples = 320;

/** Sound at 16 kHz as Opus packets of 20 ms. */
export const opusPackets = (sound: Float32Array): readonly Uint8Array[] => {
  const encoder = new Encoder({ channels: 1, sample_rate: 16_000, application: 'voip' });
  const packets: Uint8Array[] = [];
  for (let at = 0; at + packetSamples <= sound.length; at += packetSamples) {
    const samples = Int16Array.from(sound.subarray(at, at + packetSamples), (sample) =>
      Math.round(Math.max(-1, Math.min(1, sample)) * 32_767),
    );
    packets.push(Uint8Array.from(encoder.encode(samples)));
  }
  return packets;
};
