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

const textOf = (pieces: ReadonlyArray<Spoken>): string => {
  let text = '';
  for (const piece of pieces) {
    const said = piece.text.trim();
    const spaced = text !== '' && piece.glued !== true && !(unspaced.test(said) && unspaced.test(text.slice(-1)));
    text += spaced ? ` ${said}` : said;
  }
  return text;
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
