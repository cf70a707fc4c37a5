import type { Spoken } from './speech-parts.js';

/** A longer pause of the speaker begins a new utterance. */
const pauseSeconds = 1;

/** Scripts without spaces between words. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const follows = (last: Spoken, next: Spoken): boolean =>
  last.speaker === next.speaker && (next.glued === true || next.start - last.end <= pauseSeconds);

const textOf = (pieces: ReadonlyArray<Spoken>): string => {
  let text = '';
  for (const piece of pieces) {
    const said = piece.text.trim();
    const spaced = text !== '' && piece.glued !== true && !(unspaced.test(said) && unspaced.test(text.slice(-1)));
    text += spaced ? ` ${said}` : said;
  }
  return text;
};

/** Builds utterances from words: one ends when the speaker changes or pauses for more than 1 s. */
export const toUtterances = (words: ReadonlyArray<Spoken>): ReadonlyArray<Spoken> => {
  const utterances: Spoken[] = [];
  let run: Spoken[] = [];
  const close = (): void => {
    const [first] = run;
    if (first === undefined) return;
    const end = run.reduce((latest, word) => Math.max(latest, word.end), first.end);
    utterances.push({ ...first, end, text: textOf(run), glued: false });
  };
  for (const word of words) {
    const last = run.at(-1);
    if (last !== undefined && !follows(last, word)) {
      close();
      run = [];
    }
    run.push(word);
  }
  close();
  return utterances;
};
