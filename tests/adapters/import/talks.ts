import * as fc from 'fast-check';

/** One piece of speech: who says what, times in tenths of a second. */
export interface Said {
  readonly speaker: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A talk, of which documents are written. */
export interface Talk {
  readonly names: ReadonlyArray<string>;
  readonly said: ReadonlyArray<Said>;
}

const names = [
  'Ann Quill',
  'jo rivers',
  '田中 太郎',
  'Zoë Ärzte',
  'Иван Петров',
  'ليلى حسن',
  'राहुल शर्मा',
  'Speaker Jones',
];
const words = ['good', 'morning', "it's", 'naïve', '你好', 'R&B', 'café', '12', 'доброе', 'ok?', 'no,'];

/** Pieces one after the other, more than a second apart. Each has a word of its own, `w0`, `w1` …. */
export const talks: fc.Arbitrary<Talk> = fc
  .tuple(
    fc.shuffledSubarray(names, { minLength: 2, maxLength: 4 }),
    fc.array(
      fc.record({
        speaker: fc.nat(1),
        gap: fc.integer({ min: 12, max: 300 }),
        length: fc.integer({ min: 1, max: 90 }),
        words: fc.array(fc.constantFrom(...words), { maxLength: 3 }),
      }),
      { minLength: 2, maxLength: 6 },
    ),
  )
  .map(([people, pieces]) => {
    let at = 0;
    const said = pieces.map(({ speaker, gap, length, words: rest }, index) => {
      const start = at + gap;
      at = start + length;
      return { speaker, start, end: at, text: [`w${index}`, ...rest].join(' ') };
    });
    return { names: people, said };
  });

/** A text as words that share the time of the piece. */
export const split = ({ start, end, text: whole }: Said) => {
  const list = whole.split(' ');
  return list.map((word, at) => ({
    word,
    from: start + ((end - start) * at) / list.length,
    to: start + ((end - start) * (at + 1)) / list.length,
  }));
};
