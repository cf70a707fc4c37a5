import { expect } from 'chai';
import * as fc from 'fast-check';
import { toMicrosecond } from '../../../adapters/import/fields.js';
import type { ImportedSpeech } from '../../../adapters/import/format.js';
import { parseRttm } from './parse.js';
import { byTime } from '../../../adapters/import/intervals.js';
import { avaTurns, expectedOf, expectSpeakers, left, linesOf, right } from './support.js';

const row = (onset: number | string, duration: number | string, name: string, file = 'clip'): string =>
  `SPEAKER ${file} 1 ${onset} ${duration} <NA> <NA> ${name} <NA> <NA>`;

const print = ({ speakers, segments }: ImportedSpeech): string[] =>
  segments.map(({ speaker_id, start, end }) =>
    row(
      start.toFixed(6),
      (end - start).toFixed(6),
      speakers.find((speaker) => speaker.speaker_id === speaker_id)?.label ?? '',
    ),
  );

const microseconds = fc.integer({ min: 0, max: 36_000_000_000 });
const turn = fc.record({
  start: microseconds.map((n) => n / 1e6),
  length: microseconds.map((n) => (n + 1) / 1e6),
  name: fc.oneof(fc.constantFrom('spk00', 'spk01', 'spk10', 'Ana', 'B'), fc.stringMatching(/^[a-zé_0-9]{1,8}$/)),
});
const turns = fc.array(turn, { minLength: 1, maxLength: 40 });
const rowsOf = (values: ReadonlyArray<{ start: number; length: number; name: string }>): string[] =>
  values.map(({ start, length, name }) => row(start.toFixed(6), length.toFixed(6), name));

/** The ids of speakers who speak in this order. */
const ids = async (...names: string[]): Promise<number[]> =>
  right(parseRttm(names.map((name, at) => row(at, 1, name)))).segments.map(({ speaker_id }) => speaker_id);

describe('RTTM parser', () => {
  it('reads the turns of the film clip as in the ground truth', async () => {
    const { speakers, segments, summary } = right(parseRttm(await linesOf(avaTurns)));
    const expected = await expectedOf('ava-avd/FaXLcSFjUI_c_01.expected.json');
    expectSpeakers(segments, expected.speakers);
    expect(speakers).to.deep.equal([
      { speaker_id: 0, name: null, role: null, synthetic: false, label: 'spk00' },
      { speaker_id: 1, name: null, role: null, synthetic: false, label: 'spk01' },
      { speaker_id: 2, name: null, role: null, synthetic: false, label: 'spk02' },
    ]);
    expect(segments).to.have.length(56);
    expect(summary).to.deep.equal({
      recording: '-FaXLcSFjUI_c_01',
      rows: 56,
      seconds: 54.574,
      dropped: [],
      notes: [],
    });
  });

  it('accepts comments, blank lines, rows of other types, overlaps and duplicate rows', async () => {
    const lines = [
      ';; made by hand',
      '',
      'SPKR-INFO clip 1 <NA> <NA> <NA> unknown Ana <NA> <NA>',
      row(1, 2, 'Ana'),
      row(2, 2, 'Bo'),
      row(1, 2, 'Ana'),
      row(5, 0, 'Ana'),
      'SPEAKER clip 1 6 1 <NA> <NA> Bo <NA>',
      row(8, -0.5, 'Bo'),
    ];
    const { segments, summary } = right(parseRttm(lines));
    expect(segments).to.deep.equal([
      { speaker_id: 0, start: 1, end: 3 },
      { speaker_id: 1, start: 2, end: 4 },
      { speaker_id: 1, start: 6, end: 7 },
    ]);
    expect(summary.dropped).to.deep.equal([
      { count: 1, what: 'SPKR-INFO row: not a speaker turn' },
      { count: 1, what: 'duplicate turn' },
      { count: 1, what: 'turn whose end lies before its start' },
      { count: 1, what: 'turn without duration' },
    ]);
  });

  it('keeps the numbers of numbered labels, and numbers other labels in sorted order', async () => {
    expect(await ids('SPEAKER_07', 'SPEAKER_02')).to.deep.equal([7, 2]);
    expect(await ids('spk3', 'spk10')).to.deep.equal([3, 10]);
    expect(await ids('Zoe', 'Ana', 'spk5')).to.deep.equal([1, 0, 2]);
    expect(await ids('spk1', 'spk01')).to.deep.equal([1, 0]);
  });

  it('imports the chosen one of several recordings', async () => {
    const lines = [row(0, 1, 'a', 'one'), row(5, 1, 'b', 'two')];
    const { segments, summary } = right(parseRttm(lines, { recordings: ['two'] }));
    expect(segments).to.deep.equal([{ speaker_id: 0, start: 5, end: 6 }]);
    expect(summary.dropped).to.deep.equal([{ count: 1, what: 'row of another recording' }]);
    expect(left(parseRttm(lines))).to.deep.equal({
      line: 2,
      message: 'the file contains more than one recording ("one" and "two"); choose one with --recording',
    });
    expect(left(parseRttm(lines, { recordings: ['three'] })).message).to.match(/no rows of the recording "three"/);
  });

  const broken: Readonly<Record<string, [row: string, message: RegExp]>> = {
    'too few columns': ['SPEAKER clip 1 3.0 2.0', /^5 columns, but a SPEAKER row has 8 to 10$/],
    'too many columns': [row(1, 'x', 'a b'), /^11 columns/],
    'a word for a number': [row('soon', 1, 'a'), /^onset "soon" is not a finite number$/],
    'a comma for a point': [row('1,5', 1, 'a'), /^onset "1,5" is not a finite number$/],
    NaN: [row(1, 'NaN', 'a'), /^duration "NaN" is not a finite number$/],
    Infinity: [row('Infinity', 1, 'a'), /^onset "Infinity" is not/],
    'a number beyond floating point': [row('1e999', 1, 'a'), /^onset "1e999" is not a finite number$/],
    'a negative time': [row(-1, 1, 'a'), /^onset -1 is negative$/],
    'a time of years': [row(1e12, 1, 'a'), /^onset 1000000000000 is more seconds/],
    'an unknown row type': ['SPEKAER clip 1 0 1 <NA> <NA> a <NA> <NA>', /^unknown RTTM row type "SPEKAER"$/],
  };
  Object.entries(broken).forEach(([what, [text, message]]) => {
    it(`reports the line of ${what}`, async () => {
      const error = left(parseRttm([';; comment', row(0, 1, 'a'), text, row(1, 1, 'b')]));
      expect(error.line).to.equal(3);
      expect(error.message).to.match(message);
    });
  });

  it('refuses a file without turns', async () => {
    const lexeme = 'LEXEME clip 1 0.1 0.2 word lex a 0.9';
    expect(left(parseRttm([lexeme]))).to.deep.equal({ line: null, message: 'the document has no SPEAKER row' });
  });

  it('reads back what is printed: parse(print(x)) = x', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (values) => {
        const first = right(parseRttm(rowsOf(values)));
        const second = right(parseRttm(print(first)));
        expect(second.segments).to.deep.equal(first.segments);
        expect(second.speakers).to.deep.equal(first.speakers);
        const distinct = new Map(
          values.map(({ start, length, name }) => {
            const end = toMicrosecond(start + length);
            return [`${start} ${end} ${name}`, { start, end }];
          }),
        );
        const times = first.segments.map(({ start, end }) => ({ start, end }));
        expect(times).to.deep.equal([...distinct.values()].sort(byTime));
      }),
    );
  });

  it('gives the same result for shuffled rows', async () => {
    const twoOrders = turns
      .map(rowsOf)
      .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })));
    await fc.assert(
      fc.asyncProperty(twoOrders, async ([rows, shuffled]) => {
        expect(parseRttm(shuffled)).to.deep.equal(parseRttm(rows));
      }),
    );
  });
});
