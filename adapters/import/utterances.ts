import type { Spoken } from './speech-parts.js';

/** A longer pause of the speaker begins a new utterance. */
const pauseSeconds = 1;

/** Scripts without spaces between words. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** That no space stands before a word of a script without spaces says nothing. */
const isRest = ({ glued = false, text }: Spoken): boolean => glued && !unspaced.test(text);

const follows = (last: Spoken, next: Spoken): boolean =>
  last.speaker === next.speaker &&
  (isRest(next) || (next.start - last.end <= pauseSeconds && last.start - next.end <= pauseSeconds));

/** So many are joined at once: a list of a million would double in memory several times. */
const partsAtOnce = 1_000;

const textOf = (spoken: ReadonlyArray<Spoken>): string => {
  const pieces: string[] = [];
  let parts: string[] = [];
  let last = '';
  for (const { text, glued = false } of spoken) {
    const said = text.trim();
    const isSpaced = last !== '' && !glued && !(unspaced.test(said) && unspaced.test(last.slice(-1)));
    if (isSpaced) parts.push(' ');
    parts.push(said);
    last = said;
    if (parts.length < partsAtOnce) continue;
    pieces.push(parts.join(''));
    parts = [];
  }
  return [...pieces, ...parts].join('');
};

/**
 * Builds utterances from words: one ends when the speaker changes or pauses for more than 1 s. It covers all its words,
 * in whatever order they come.
 */
export const toUtterances = (words: ReadonlyArray<Spoken>): ReadonlyArray<Spoken> => {
  const runs: [Spoken, ...Spoken[]][] = [];
  let last: Spoken | undefined;
  for (const word of words) {
    const run = runs.at(-1);
    if (run === undefined || last === undefined || !follows(last, word)) runs.push([word]);
    else run.push(word);
    last = word;
  }
  return runs.map((run) => ({
    ...run[0],
    start: run.reduce((earliest, { start }) => Math.min(earliest, start), run[0].start),
    end: run.reduce((latest, { end }) => Math.max(latest, end), run[0].end),
    text: textOf(run),
    glued: false,
  }));
};
