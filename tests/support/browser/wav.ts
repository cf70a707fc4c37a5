/** Sound as a mono WAV file with 16 bits a sample. */
export const wavOf = (sound: Float32Array, sampleRate: number): Buffer => {
  const data = Buffer.alloc(44 + 2 * sound.length);
  data.write('RIFF', 0);
  data.writeUInt32LE(data.length - 8, 4);
  data.write('WAVEfmt ', 8);
  data.writeUInt32LE(16, 16);
  data.writeUInt16LE(1, 20);
  data.writeUInt16LE(1, 22);
  data.writeUInt32LE(sampleRate, 24);
  data.writeUInt32LE(2 * sampleRate, 28);
  data.writeUInt16LE(2, 32);
  data.writeUInt16LE(16, 34);
  data.write('data', 36);
  data.writeUInt32LE(2 * sound.length, 40);
  sound.forEach((sample, at) => data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + 2 * at));
  return data;
};
