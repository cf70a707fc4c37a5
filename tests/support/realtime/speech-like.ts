import { Encoder } from '@evan/opus';
import { gaussianFrom, randomFrom } from './random.js';
import { frameSize, processFrame, idleDetector } from '../../../domain/voice-activity/detector.js';

/* Synthetic sound that resembles speech: syllables of a pulse train with varying pitch through three formants, and hisses. */

export const sampleRate = 16_000;

export interface Stretch {
  readonly seconds: number;
  readonly speech: boolean;
}

/** One formant: a resonance at a frequency with a bandwidth, in Hz (Klatt 1980). */
const resonator = (hertz: number, bandwidth: number): ((input: number) => number) => {
  const radius = Math.exp((-Math.PI * bandwidth) / sampleRate);
  const a = 2 * radius * Math.cos((2 * Math.PI * hertz) / sampleRate);
  const b = -radius * radius;
  let one = 0;
  let two = 0;
  return (input) => {
    const output = (1 - a - b) * input + a * one + b * two;
    two = one;
    one = output;
    return output;
  };
};

/** A vowel of so many samples. */
const vowel = (samples: number, random: () => number): Float32Array => {
  const formants = [
    resonator(300 + 500 * random(), 80),
    resonator(900 + 1_400 * random(), 100),
    resonator(2_300 + 900 * random(), 140),
  ];
  const pitch = 100 + 120 * random();
  let phase = 0;
  return Float32Array.from({ length: samples }, (_, at) => {
    phase += (pitch * (1 + 0.1 * Math.sin((3 * at) / sampleRate))) / sampleRate;
    const pulse = phase >= 1 ? 1 : 0;
    phase -= pulse;
    const voice = formants.reduce((sum, formant, place) => sum + formant(pulse) / (place + 1), 0);
    return voice * Math.sin((Math.PI * at) / samples) ** 0.5;
  });
};

/** A consonant like s: the difference of white noise, which is high. */
const hiss = (samples: number, random: () => number): Float32Array => {
  const gaussian = gaussianFrom(random);
  let last = 0;
  return Float32Array.from({ length: samples }, (_, at) => {
    const now = gaussian();
    const high = now - last;
    last = now;
    return 0.004 * high * Math.sin((Math.PI * at) / samples);
  });
};

const scaled = (sound: Float32Array, level: number): Float32Array => {
  const square = sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length;
  const gain = 10 ** (level / 20) / Math.sqrt(square);
  return sound.map((sample) => Math.max(-1, Math.min(1, sample * gain)));
};

const spoken = (samples: number, random: () => number): Float32Array => {
  const sound = new Float32Array(samples);
  for (let at = 0; at < samples;) {
    const consonant = random() < 0.4 ? hiss(Math.round(0.07 * sampleRate), random) : new Float32Array(0);
    const syllable = vowel(Math.round((0.12 + 0.16 * random()) * sampleRate), random);
    for (const part of [consonant, syllable]) {
      sound.set(part.subarray(0, Math.max(0, samples - at)), at);
      at = Math.min(samples, at + part.length);
    }
    at += Math.round((0.02 + 0.06 * random()) * sampleRate);
  }
  return scaled(sound, -23);
};

/** The sound of stretches of speech and silence, at 16 kHz; speech is at -23 dBFS. */
export const speechLike = (stretches: readonly Stretch[], seed = 1): Float32Array => {
  const random = randomFrom(seed);
  const parts = stretches.map(({ seconds, speech }) => {
    const samples = Math.round(seconds * sampleRate);
    return speech ? spoken(samples, random) : new Float32Array(samples);
  });
  const sound = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => {
    sound.set(part, at);
    return at + part.length;
  }, 0);
  return sound;
};

/** The intervals of speech, in seconds. */
export const spokenIn = (
  stretches: readonly Stretch[],
): readonly { readonly start: number; readonly end: number }[] => {
  let at = 0;
  return stretches.flatMap(({ seconds, speech }) => {
    const start = at;
    at += seconds;
    return speech ? [{ start, end: at }] : [];
  });
};

/** The sound with noise at a level in dBFS: white noise, or brown noise, which falls by 6 dB per octave. */
export const withNoise = (sound: Float32Array, level: number, colour: 'white' | 'brown', seed = 2): Float32Array => {
  const gaussian = gaussianFrom(randomFrom(seed));
  let last = 0;
  const noise = Float32Array.from({ length: sound.length }, () => {
    last = colour === 'white' ? gaussian() : 0.97 * last + gaussian();
    return last;
  });
  const scaledNoise = scaled(noise, level);
  return sound.map((sample, at) => sample + (scaledNoise[at] ?? 0));
};

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

export interface ActivityScore {
  readonly precision: number;
  readonly recall: number;
}

/** The detector's result for every frame of a sound. */
export const activityOf = (sound: Float32Array): readonly boolean[] => {
  let detector = idleDetector;
  return Array.from({ length: Math.floor(sound.length / frameSize) }, (_, at) => {
    detector = processFrame(detector, sound.subarray(at * frameSize, (at + 1) * frameSize));
    return detector.speaking;
  });
};

/** How well the detector finds the speech of a sound, frame by frame. */
export const scoreActivity = (stretches: readonly Stretch[], sound: Float32Array): ActivityScore => {
  const truth = spokenIn(stretches);
  let both = 0;
  let said = 0;
  let spoken = 0;
  for (const [at, speaking] of activityOf(sound).entries()) {
    const middle = ((at + 0.5) * frameSize) / sampleRate;
    const speech = truth.some(({ start, end }) => middle >= start && middle < end);
    both += speaking && speech ? 1 : 0;
    said += speaking ? 1 : 0;
    spoken += speech ? 1 : 0;
  }
  return { precision: both / said, recall: both / spoken };
};

/** A conversation of `count` turns of 2 to 5 s with pauses of 1 to 3 s. */
export const turns = (count: number, random: () => number): readonly Stretch[] =>
  Array.from({ length: count }, () => [
    { seconds: 1 + 2 * random(), speech: false },
    { seconds: 2 + 3 * random(), speech: true },
  ]).flat();
