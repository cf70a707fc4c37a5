import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as t from 'io-ts';
import { toMicrosecond } from '../../../adapters/import/times.js';
import type { Imported, ImportedSpeech } from '../../../adapters/import/format.js';
import { byTime } from '../../../adapters/import/intervals.js';
import { readDocument } from '../../../adapters/import/read-document.js';
import {
  asExpectedFaces,
  aswFaces,
  avaFaces,
  avaTurns,
  expectedOf,
  expectSpeakers,
  linesOf,
  right,
} from './support.js';

const importedOf = (lines: ReadonlyArray<string>): Imported =>
  right(readDocument([Buffer.from(`${lines.join('\n')}\n`)])).imported;

const speechIn = ({ speech }: Imported): ImportedSpeech => {
  if (speech === null) throw new Error('speech was expected');
  return speech;
};

const row = (onset: string, duration: string, name: string): string =>
  `SPEAKER clip 1 ${onset} ${duration} <NA> <NA> ${name} <NA> <NA>`;

const print = ({ speakers, segments }: ImportedSpeech): ReadonlyArray<string> =>
  segments.map(({ speaker_id, start, end }) =>
    row(
      start.toFixed(6),
      (end - start).toFixed(6),
      speakers.find((speaker) => speaker.speaker_id === speaker_id)?.label ?? '',
    ),
  );

const microseconds = fc.integer({ min: 0, max: 36_000_000_000 });
const turns = fc.array(
  fc.record({
    start: microseconds.map((n) => n / 1e6),
    length: microseconds.map((n) => (n + 1) / 1e6),
    name: fc.oneof(fc.constantFrom('spk00', 'spk01', 'spk10', 'Ana', 'B'), fc.stringMatching(/^[a-zé_0-9]{1,8}$/)),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('formats of public data sets', () => {
  it('have the faces and turns of the ground truth', () => {
    const film = expectedOf('ava-avd/FaXLcSFjUI_c_01.expected.json');
    const debate = expectedOf('asw-voxconverse/DT38D1C3_ZA.expected.json');
    const { faces } = importedOf(linesOf(avaFaces));
    expect(asExpectedFaces(faces?.faces ?? [])).to.deep.equal(film.faces);
    expect(faces?.summary).to.include({ recording: '-FaXLcSFjUI', rows: 2750 });
    const inDebate = importedOf(linesOf(aswFaces)).faces;
    expect(asExpectedFaces(inDebate?.faces ?? [])).to.deep.equal(debate.faces);
    expectSpeakers(speechIn(importedOf(linesOf(avaTurns))).segments, film.speakers);
  });

  it('have a box of each face a second, as a share of the picture', () => {
    const boxesOf = (text: string, fps?: number) =>
      right(readDocument([Buffer.from(text)], fps === undefined ? {} : { fps })).imported.faces?.faces[0]?.boxes;
    const box = { left: 0.1, top: 0.2, width: 0.2, height: 0.2 };
    const frames = Array.from(
      { length: 75 },
      (_, at) => `clip,${(at * 0.04).toFixed(2)},0.1,0.2,0.3,0.4,NOT_SPEAKING,e`,
    );
    expect(boxesOf(frames.join('\n'))).to.deep.equal([0, 1, 2].map((at) => ({ at, ...box })));
    const asw = [0, 0.2, 0.4, 1.2].map((time) => ({ time, bbox: [0.1, 0.2, 0.3, 0.4], label: 0 }));
    expect(boxesOf(JSON.stringify({ a: asw }))).to.deep.equal([0, 1.2].map((at) => ({ at, ...box })));
    const cvat = (frame: number, outside: number, left: number): string =>
      `<box frame="${frame}" outside="${outside}" xtl="${left}" ytl="10" xbr="${left + 20}" ybr="20"/>`;
    const task = '<size>40</size><original_size><width>100</width><height>50</height></original_size>';
    const track = `<track id="3" label="face">${cvat(20, 0, 90)}${cvat(0, 0, 10)}${cvat(10, 1, 10)}</track>`;
    const xml = `<annotations><meta><task>${task}</task></meta>${track}</annotations>`;
    expect(boxesOf(xml, 10)).to.deep.equal([
      { at: 0, ...box },
      { at: 2, ...box, left: 0.9, width: 0.1 },
    ]);
  });

  it('give the same result for rows in any order', () => {
    for (const path of [avaFaces, avaTurns]) {
      const lines = linesOf(path).filter((line) => line !== '');
      const inOrder = importedOf(lines);
      fc.assert(
        fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
          expect(importedOf(shuffled)).to.deep.equal(inOrder);
        }),
        { numRuns: 8 },
      );
    }
    const text = readFileSync(aswFaces, 'utf8');
    const faces = Object.entries(right(t.UnknownRecord.decode(JSON.parse(text))));
    const reversed = JSON.stringify(Object.fromEntries(faces.toReversed()));
    expect(importedOf([reversed])).to.deep.equal(importedOf([text]));
  });

  it('read RTTM back as it is printed: parse(print(x)) = x', () =>
    fc.assert(
      fc.property(turns, (values) => {
        const rows = values.map(({ start, length, name }) => row(start.toFixed(6), length.toFixed(6), name));
        const first = speechIn(importedOf(rows));
        const second = speechIn(importedOf(print(first)));
        expect([second.segments, second.speakers]).to.deep.equal([first.segments, first.speakers]);
        const distinct = new Map(
          values.map(({ start, length, name }) => {
            const end = toMicrosecond(start + length);
            return [`${start} ${end} ${name}`, { start, end }];
          }),
        );
        const times = first.segments.map(({ start, end }) => ({ start, end }));
        expect(times).to.deep.equal([...distinct.values()].sort(byTime));
      }),
    ));
});
