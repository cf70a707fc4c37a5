import { randomFrom } from '../support/realtime/random.js';
import { scoreActivity, turns, sampleRate, speechLike, withNoise } from '../support/realtime/speech-like.js';
import { quick } from './support/figures.js';

/* How well the detector finds synthetic speech at -23 dBFS, frame by frame, and the cost of a frame. */

const runs = quick ? 1 : 5;
const speechLevel = -23;
const conditions = [
  ['clean', (sound: Float32Array) => sound],
  ...[20, 10, 5, 0].flatMap((decibels) =>
    (['white', 'brown'] as const).map(
      (colour) =>
        [
          `${colour} noise at ${decibels} dB`,
          (sound: Float32Array) => withNoise(sound, speechLevel - decibels, colour),
        ] as const,
    ),
  ),
] as const;

const mean = (values: readonly number[]): string =>
  (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);

for (const [name, change] of conditions) {
  const start = performance.now();
  let seconds = 0;
  const scores = Array.from({ length: runs }, (_, run) => {
    const conversation = turns(quick ? 5 : 30, randomFrom(100 + run));
    const sound = change(speechLike(conversation, 200 + run));
    seconds += sound.length / sampleRate;
    return scoreActivity(conversation, sound);
  });
  const cost = (performance.now() - start) / seconds;
  console.log(
    `${name.padEnd(22)} precision ${mean(scores.map(({ precision }) => precision))}, recall ` +
      `${mean(scores.map(({ recall }) => recall))}; ${cost.toFixed(1)} ms a second of sound, making it included`,
  );
}
