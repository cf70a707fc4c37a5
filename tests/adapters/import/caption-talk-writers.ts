import { clock, escaped, seconds, text, type Writer } from './talk-notation.js';
import { split } from './talks.js';

/** Documents of subtitles, tables of NIST, Praat and Recall.ai. */
export const captionWriters: Readonly<Record<string, Writer>> = {
  sbv: {
    named: true,
    spoken: true,
    write: ({ names, said }) =>
      said
        .map(
          (one) =>
            `${clock(one.start, '.')},${clock(one.end, '.')}\n${names[one.speaker] ?? ''}: ${escaped(one.text)}\n\n`,
        )
        .join(''),
  },
  ass: {
    named: true,
    spoken: true,
    write: ({ names, said }) =>
      [
        '[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Name, Text\n',
        ...said.map((one) => {
          const words = one.text.replace(' ', String.raw`{\i1}\N`);
          return `Dialogue: 0,${clock(one.start, '.')},${clock(one.end, '.')},${names[one.speaker] ?? ''},${words}\n`;
        }),
      ].join(''),
  },
  ttml: {
    named: true,
    spoken: true,
    write: ({ names, said }) => {
      const agents = names.map((name, id) => `<ttm:agent xml:id="a${id}"><ttm:name>${name}</ttm:name></ttm:agent>`);
      const captions = said.map(
        (one) =>
          `<p begin="${text(one.start)}s" end="${clock(one.end, '.')}" ttm:agent="a${one.speaker}">${escaped(one.text)}</p>`,
      );
      return `<tt xmlns:ttm="m"><head>${agents.join('')}</head><body><div>${captions.join('\n')}</div></body></tt>`;
    },
  },
  praat_textgrid: {
    named: true,
    spoken: true,
    write: ({ names, said }) => {
      const tiers = names.map((name, id) => {
        const own = said.filter(({ speaker }) => speaker === id);
        const intervals = own.map((one) => `${text(one.start)}\n${text(one.end)}\n"${one.text}"\n`);
        return `"IntervalTier"\n"${name}"\n0\n9999\n${own.length}\n${intervals.join('')}`;
      });
      return `File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n9999\n<exists>\n${tiers.length}\n${tiers.join('')}`;
    },
  },
  stm: {
    named: false,
    spoken: true,
    write: ({ said }) =>
      said.map((one) => `talk 1 S${one.speaker} ${text(one.start)} ${text(one.end)} <o> ${one.text}\n`).join(''),
  },
  ctm: {
    named: false,
    spoken: true,
    write: ({ said }) =>
      said
        .flatMap((one) =>
          split(one).map(
            ({ word, from, to }) =>
              `talk ${'AB'[one.speaker] ?? ''} ${seconds(from)} ${seconds(to - from)} ${word} 0.9\n`,
          ),
        )
        .join(''),
  },
  recall: {
    named: true,
    spoken: true,
    write: ({ names, said }) =>
      said.map((one) => ({
        participant: { id: one.speaker, name: names[one.speaker] },
        words: split(one).map(({ word, from, to }) => ({
          text: word,
          start_timestamp: { relative: seconds(from) },
          end_timestamp: { relative: seconds(to) },
        })),
      })),
  },
};
