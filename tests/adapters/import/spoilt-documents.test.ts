import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import { readDocument } from '../../../adapters/import/read-document.js';
import type { ImportedSpeech } from '../../../adapters/import/format.js';
import { toMicrosecond } from '../../../adapters/import/times.js';
import { shortOrLong } from '../../support/long-form.js';
import { fixture, right } from './support.js';
import { type Writer, writers, type Talk, talks } from './talk-writers.js';

const formatOf = (name: string): string => name.replace(/_(?:words|realtime|lines|monologues)$/, '');

/** A value of a document at random. */
const anywhere = (json: unknown, place: number): { holder: object; key: string } | null => {
  const places: { holder: object; key: string }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      places.push({ holder: value, key });
      visit(Reflect.get(value, key));
    }
  };
  visit(json);
  return places[place % Math.max(1, places.length)] ?? null;
};

const reversed = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(reversed);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .toReversed()
      .map(([key, value]) => [key, reversed(value)]),
  );
};

/** Adds fields that no format knows, to each object. Lists of ids by key, as Google's batch, are not among the writers. */
const withUnknown = (json: unknown, value: unknown): unknown => {
  if (Array.isArray(json)) return json.map((one: unknown) => withUnknown(one, value));
  if (typeof json !== 'object' || json === null) return json;
  return {
    Extra: value,
    ...Object.fromEntries(Object.entries(json).map(([key, inner]) => [key, withUnknown(inner, value)])),
  };
};

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

type Document = Readonly<{ text: string; isJson: boolean }>;

const onJson =
  (change: (json: unknown) => unknown, space?: number) =>
  ({ text, isJson }: Document): string =>
    isJson ? JSON.stringify(change(JSON.parse(text)), null, space) : text;

const onText =
  (change: (text: string) => string) =>
  ({ text, isJson }: Document): string =>
    isJson ? text : change(text);

/** Changes of a document that change nothing of what it says. */
const harmless: Readonly<Record<string, (document: Document) => Uint8Array | string>> = {
  'as it is': ({ text }) => text,
  'with line breaks': onJson((json) => json, 2),
  'with a byte order mark': ({ text }) => `\uFEFF${text}`,
  'as UTF-16': ({ text }) => utf16(text),
  'as UTF-16, big endian': ({ text }) => utf16(text).swap16(),
  compressed: ({ text }) => gzipSync(text),
  'with fields in another order': onJson(reversed),
  'with unknown fields': onJson((json) => withUnknown(json, { words: [1], text: null })),
  'with unknown fields that are null': onJson((json) => withUnknown(json, null)),
  'with CR LF': onText((text) => text.replaceAll('\n', '\r\n')),
  'with CR': onText((text) => text.replaceAll('\n', '\r')),
  'with blank lines before it': ({ text }) => `\n \n\n${text}`,
  'with blank lines after it': ({ text }) => `${text}\n\n\n`,
  'with marks of direction before it': ({ text }) => `\u200E${text}`,
  'with numeric character references': onText((text) =>
    /^(?:SPEAKER|talk|File|\[|\{)/.test(text) ? text : text.replaceAll('é', '&#233;').replaceAll('ï', '&#xEF;'),
  ),
};

/** The same name in another form. */
const otherForms: ReadonlyArray<(name: string) => string> = [
  (name) => name.normalize('NFD'),
  (name) => `\u200E${name}\u200F`,
  (name) => `${name}\u200B`,
];

/** Chinese words are joined without a space. */
const joinHan = (text: string): string => text.replaceAll(/(\p{Script=Han}) (?=\p{Script=Han})/gu, '$1');

interface Piece {
  readonly who: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const expectedOf = ({ names, said }: Talk, { named, spoken, anonymous }: Writer): ReadonlyArray<Piece> =>
  said.map(({ speaker, start, end, text }) => ({
    who: named
      ? (names[speaker] ?? '').normalize('NFC')
      : `#${said.findIndex((one) => anonymous || one.speaker === speaker)}`,
    start: start / 10,
    end: end / 10,
    text: spoken ? joinHan(text) : '',
  }));

const piecesOf = ({ transcript, segments, speakers }: ImportedSpeech, named: boolean): ReadonlyArray<Piece> => {
  const list = transcript?.utterances.map((one) => one) ?? segments.map((one) => ({ ...one, text: '' }));
  return list.map(({ speaker_id, start, end, text }) => {
    const name = speakers.find((speaker) => speaker.speaker_id === speaker_id)?.name ?? null;
    const who = named ? (name ?? '') : `#${list.findIndex((one) => one.speaker_id === speaker_id)}`;
    return { who, start, end: toMicrosecond(end), text: joinHan(text) };
  });
};

const speechOf = (bytes: Uint8Array | string): { format: string; speech: ImportedSpeech } => {
  const { format, imported } = right(readDocument([Buffer.from(bytes)]));
  if (imported.speech === null) throw new Error('speech was expected');
  return { format, speech: imported.speech };
};

const hangMs = 2_000;

/** Processor time, which other processes of a busy machine do not lengthen. */
const millisecondsSince = (begin: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
};

describe('documents that are written in other ways, or spoilt', () => {
  const cases = shortOrLong(12, 300);

  for (const [name, writer] of Object.entries(writers)) {
    it(`say the same, however they are written: ${name}`, () => {
      fc.assert(
        fc.property(talks, fc.constantFrom(...Object.keys(harmless)), (talk, how) => {
          const document = { text: writer.write(talk), isJson: writer.isJson };
          const { format, speech } = speechOf(harmless[how]?.(document) ?? '');
          expect(format, how).to.equal(formatOf(name));
          expect(piecesOf(speech, writer.named), how).to.deep.equal(expectedOf(talk, writer));
        }),
        { numRuns: cases * 3 },
      );
    });

    if (writer.named)
      it(`give one speaker for one name: ${name}`, () => {
        fc.assert(
          fc.property(talks, fc.constantFrom(...otherForms), (talk, other) => {
            const names = [...talk.names.slice(0, 1), other(talk.names[0] ?? '')];
            const { speech } = speechOf(writer.write({ ...talk, names }));
            const found = new Set(piecesOf(speech, true).map(({ who }) => who));
            expect([...found]).to.deep.equal([talk.names[0]]);
          }),
          { numRuns: cases },
        );
      });

    it(`are read without the piece that ends before it starts, which is counted: ${name}`, () => {
      fc.assert(
        fc.property(talks, fc.nat(5), (talk, which) => {
          const bad = which % talk.said.length;
          const said = talk.said.map((one, index) =>
            index === bad ? { ...one, start: one.end, end: one.start } : one,
          );
          const read = readDocument([Buffer.from(writer.write({ ...talk, said }))]);
          // Formats with durations cannot say it, and refuse a negative one.
          if (E.isLeft(read)) {
            expect(read.left.message).to.match(/is negative$/);
            return;
          }
          const speech = read.right.imported.speech;
          const rest = expectedOf(talk, { ...writer, named: true }).filter((_, index) => index !== bad);
          expect(speech === null ? [] : piecesOf(speech, true).map(({ start }) => start)).to.deep.equal(
            rest.map(({ start }) => start),
          );
          expect(speech?.summary.dropped.length).to.be.greaterThan(0);
        }),
        { numRuns: cases },
      );
    });
  }

  it('are read or refused, never lost in silence, whatever is wrong in them', () => {
    const junk: ReadonlyArray<unknown> = [
      null,
      undefined,
      -1,
      1e12,
      '',
      'x',
      'NaN',
      [],
      {},
      [null],
      true,
      '\u0000',
      1.5,
    ];
    let slowest = 0;
    fc.assert(
      fc.property(
        talks,
        fc.constantFrom(...Object.entries(writers)),
        fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom(...junk)), { minLength: 1, maxLength: 3 }),
        (talk, [name, writer], changes) => {
          let spoilt = writer.write(talk);
          if (writer.isJson) {
            const copy: unknown = JSON.parse(spoilt);
            for (const [place, value] of changes) {
              const found = anywhere(copy, place);
              if (found !== null) Reflect.set(found.holder, found.key, structuredClone(value));
            }
            spoilt = JSON.stringify(copy);
          } else
            for (const [place, value] of changes) {
              const at = place % spoilt.length;
              spoilt = `${spoilt.slice(0, at)}${String(value)}${spoilt.slice(at + (place % 3))}`;
            }
          const begin = process.cpuUsage();
          const read = readDocument([Buffer.from(spoilt)]);
          slowest = Math.max(slowest, millisecondsSince(begin));
          if (E.isLeft(read)) {
            expect(read.left.message).to.match(/\S/);
            return;
          }
          const { speech } = read.right.imported;
          const texts = speech?.transcript?.utterances.map(({ text }) => text).join(' ') ?? '';
          const given = writer.spoken ? [...new Set(spoilt.match(/(?<!\p{L})\bw\d\b/gu))] : [];
          const lost = given.filter((word) => !texts.includes(word));
          const counted = (speech?.summary.dropped ?? []).reduce((sum, { count }) => sum + count, 0);
          expect(counted, `${name}: ${lost.join()} of ${spoilt}`).to.be.at.least(lost.length === 0 ? 0 : 1);
        },
      ),
      { numRuns: shortOrLong(4_000, 200_000) },
    );
    expect(slowest).to.be.lessThan(hangMs);
  });

  it('are read or refused, whatever bytes change in them', () => {
    const documents = ['providers', 'imports']
      .flatMap((folder) => readdirSync(fixture(folder)).map((name) => `${folder}/${name}`))
      .filter((name) => !/\.md$|LICENCE/.test(name))
      .map((name) => readFileSync(fixture(name)))
      .filter(({ length }) => length < 20_000);
    expect(documents.length).to.be.greaterThan(40);
    let slowest = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...documents),
        fc.array(fc.tuple(fc.nat(20_000), fc.nat(255), fc.nat(3)), { minLength: 1, maxLength: 6 }),
        (document, changes) => {
          let bytes = Buffer.from(document);
          for (const [place, byte, removed] of changes) {
            const at = place % bytes.length;
            bytes = Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at + removed)]);
          }
          const begin = process.cpuUsage();
          readDocument([bytes], { fps: 25 });
          slowest = Math.max(slowest, millisecondsSince(begin));
        },
      ),
      { numRuns: shortOrLong(2_000, 100_000) },
    );
    expect(slowest).to.be.lessThan(hangMs);
  });
});
