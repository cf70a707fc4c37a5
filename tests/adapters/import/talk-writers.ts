import * as fc from 'fast-check';
import { fixtureText } from './support.js';

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

const seconds = (tenths: number): string => String(tenths / 10);
const millis = (tenths: number): string => String(tenths * 100);
const clock = (tenths: number): string =>
  `${new Date(Math.floor(tenths / 10) * 1_000).toISOString().slice(11, 19)}.${tenths % 10}00`;
const escaped = (plain: string): string => plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const timesOf = (start: number, end: number): Readonly<Record<string, string>> => ({
  start: seconds(start),
  end: seconds(end),
  length: seconds(end - start),
  startMs: millis(start),
  endMs: millis(end),
  lengthMs: millis(end - start),
});

const valuesOf = (names: ReadonlyArray<string>, { speaker, start, end, text }: Said, index: number) => ({
  ...timesOf(start, end),
  from: clock(start),
  to: clock(end),
  fromComma: clock(start).replace('.', ','),
  toComma: clock(end).replace('.', ','),
  name: names[speaker] ?? '',
  speaker: String(speaker),
  next: String(speaker + 1),
  letter: ['A', 'B'][speaker] ?? `S${speaker}`,
  role: speaker === 0 ? 'AGENT' : 'CUSTOMER',
  index: String(index),
  number: String(index + 1),
  text,
  xml: escaped(text),
  broken: text.replace(' ', String.raw`{\i1}\N`),
});

type Values = Readonly<Record<string, string>>;

const filled = (template: string, values: Values): string =>
  template.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);

/** What separates pieces, and words. */
type Separators = readonly [pieces: string, words: string];

/** What stands in « » for each piece that is said, and in ‹ › in it for each word. */
const withPieces = (template: string, { names, said }: Talk, [ofPieces, ofWords]: Separators): string =>
  template.replaceAll(/«(.*?)»/gs, (_, each: string) =>
    said
      .map((one, index) => {
        const values = valuesOf(names, one, index);
        const words = each.replaceAll(/‹(.*?)›/gs, (__, ofWord: string) =>
          split(one)
            .map(({ word, from, to }) => filled(ofWord, { ...values, ...timesOf(from, to), word }))
            .join(ofWords),
        );
        return filled(words, values);
      })
      .join(ofPieces),
  );

/** A document after a template: what stands in ⟦ ⟧ for each speaker, with the pieces of that one alone. */
const written = (template: string, talk: Talk, separators: Separators): string => {
  const bySpeaker = template.replaceAll(/⟦(.*?)⟧/gs, (_, each: string) =>
    talk.names
      .map((name, id) => {
        const said = talk.said.filter(({ speaker }) => speaker === id);
        const values = { name, speaker: String(id), pieces: String(said.length) };
        return filled(withPieces(each, { ...talk, said }, separators), values);
      })
      .join(separators[0]),
  );
  return filled(withPieces(bySpeaker, talk, separators), { speakers: String(talk.names.length) });
};

export interface Writer {
  /** Whether the document has the names; else speakers have labels only. */
  readonly named: boolean;
  /** The format tells no speakers apart. */
  readonly anonymous: boolean;
  /** Whether the document has the texts; else turns only. */
  readonly spoken: boolean;
  readonly isJson: boolean;
  readonly write: (talk: Talk) => string;
}

const writerOf = (template: string, kind: ReadonlySet<string>): Writer => {
  const isJson = !kind.has('text') && !kind.has('lines');
  const separators = [isJson ? ',' : '', kind.has('text') ? '' : ','] as const;
  return {
    named: kind.has('named'),
    anonymous: kind.has('anonymous'),
    spoken: !kind.has('turns'),
    isJson,
    write: (talk) => written(isJson ? template.replaceAll('\n', '') : template, talk, separators),
  };
};

/** A document of a talk in each format, after a template: `=== name kind`, and what the document has. */
export const writers: Readonly<Record<string, Writer>> = Object.fromEntries(
  [...fixtureText('talk-templates.txt').matchAll(/^=== (\w+) ?(.*)\n((?:(?!===).*\n)*)/gm)].map(
    ([, name = '', kind = '', template = '']) => [name, writerOf(template.slice(0, -1), new Set(kind.split(' ')))],
  ),
);
