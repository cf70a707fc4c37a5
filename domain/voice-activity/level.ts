/** The level of digital silence, as RFC 6464 has it. */
export const silenceLevel = -127;

/** A mean square of samples in dB relative to full scale: at most 0, silence is -127; to a tenth. */
export const levelOf = (meanSquare: number): number => {
  if (!(meanSquare > 0)) return silenceLevel;
  const level = Math.round(100 * Math.log10(meanSquare)) / 10;
  return Math.min(0, Math.max(silenceLevel, level));
};

/** The sum of the squares of samples; what is no finite number counts nothing. */
export const energyOf = (samples: Float32Array): number => {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Number.isFinite(sum) ? sum : 0;
};
