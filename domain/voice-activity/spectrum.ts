/** Samples per spectrum: 32 ms at 16 kHz. */
export const spectrumSize = 512;

const sampleRate = 16_000;

/** Edges of the critical bands in Hz (Zwicker 1961), covering the frequency range of speech. */
const bandEdges = [
  100, 200, 300, 400, 510, 630, 770, 920, 1_080, 1_270, 1_480, 1_720, 2_000, 2_320, 2_700, 3_150, 3_700, 4_400, 5_300,
  6_400, 7_700,
];

/** Number of bands. */
export const bandCount = bandEdges.length - 1;

const binOf = (hertz: number): number => Math.round((hertz * spectrumSize) / sampleRate);
const edgeBins = bandEdges.map(binOf);

const hann = Float64Array.from(
  { length: spectrumSize },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / spectrumSize),
);
/** Scales a full-scale sine to a power of 0.5 in its band; compensates the loss of the window function. */
const powerScale = 2 / (spectrumSize * hann.reduce((sum, value) => sum + value * value, 0));

/* The transform of 512 real samples is computed as that of 256 complex values, with even samples as real parts. */
const half = spectrumSize / 2;
const bits = Math.log2(half);
const reversed = Uint16Array.from({ length: half }, (_, at) => {
  let out = 0;
  for (let bit = 0; bit < bits; bit += 1) out |= ((at >> bit) & 1) << (bits - 1 - bit);
  return out;
});
const cosines = Float64Array.from({ length: half }, (_, at) => Math.cos((2 * Math.PI * at) / spectrumSize));
const sines = Float64Array.from({ length: half }, (_, at) => -Math.sin((2 * Math.PI * at) / spectrumSize));

/** One butterfly of the transform, in place. */
const butterfly = (re: Float64Array, im: Float64Array, low: number, high: number, twiddle: number): void => {
  const cosine = cosines[twiddle] ?? 0;
  const sine = sines[twiddle] ?? 0;
  const a = re[high] ?? 0;
  const b = im[high] ?? 0;
  const x = a * cosine - b * sine;
  const y = a * sine + b * cosine;
  const u = re[low] ?? 0;
  const v = im[low] ?? 0;
  re[high] = u - x;
  im[high] = v - y;
  re[low] = u + x;
  im[low] = v + y;
};

/** Radix-2 fast Fourier transform (Cooley and Tukey 1965), in place, of values in bit-reversed order. */
const transform = (re: Float64Array, im: Float64Array): void => {
  for (let width = 1; width < half; width *= 2) {
    const stride = half / width;
    for (let start = 0; start < half; start += 2 * width)
      for (let at = 0; at < width; at += 1) butterfly(re, im, start + at, start + at + width, at * stride);
  }
};

/** The power of one bin of the real samples, from the transform of the complex ones. */
const binPower = (re: Float64Array, im: Float64Array, bin: number): number => {
  const a = re[bin] ?? 0;
  const b = im[bin] ?? 0;
  const c = re[half - bin] ?? 0;
  const d = im[half - bin] ?? 0;
  const cosine = cosines[bin] ?? 0;
  const sine = sines[bin] ?? 0;
  const x = (a + c + (b + d) * cosine + (a - c) * sine) / 2;
  const y = (b - d + (b + d) * sine - (a - c) * cosine) / 2;
  return x * x + y * y;
};

/* Scratch buffers of the transform, overwritten by each call. */
const re = new Float64Array(half);
const im = new Float64Array(half);

/** The power of each critical band of 512 samples at 16 kHz, relative to full scale. */
export const bandPowers = (samples: Float32Array): Float64Array => {
  for (let at = 0; at < half; at += 1) {
    const to = reversed[at] ?? 0;
    re[to] = (samples[2 * at] ?? 0) * (hann[2 * at] ?? 0);
    im[to] = (samples[2 * at + 1] ?? 0) * (hann[2 * at + 1] ?? 0);
  }
  transform(re, im);
  const powers = new Float64Array(bandCount);
  for (let band = 0; band < bandCount; band += 1) {
    let sum = 0;
    for (let bin = edgeBins[band] ?? 0; bin < (edgeBins[band + 1] ?? 0); bin += 1) sum += binPower(re, im, bin);
    powers[band] = sum * powerScale;
  }
  return powers;
};
