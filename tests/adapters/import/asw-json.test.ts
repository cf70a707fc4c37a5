import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseAswJson } from './parse.js';
import { asExpectedFaces, aswFaces, expectedOf, left, linesOf, right } from './support.js';

const row = (time: number, label: number): object => ({ time, bbox: [0.1, 0.2, 0.3, 0.4], label, eval: 1 });
const lines = (value: unknown): string[] => JSON.stringify(value, null, 2).split('\n');

describe('ASW JSON parser', () => {
  it('reads the faces of the debate as in the ground truth', async () => {
    const { faces, summary } = right(parseAswJson(await linesOf(aswFaces)));
    const expected = await expectedOf('asw-voxconverse/DT38D1C3_ZA.expected.json');
    expect(asExpectedFaces(faces)).to.deep.equal(expected.faces);
    expect(summary).to.deep.equal({ recording: null, rows: 192, seconds: 38.4, dropped: [], notes: [] });
  });

  it('extends each row to its 0.2 seconds, but not before 0', async () => {
    const { faces } = right(parseAswJson(lines({ a: [row(0, 0), row(0.2, 1), row(0.4, 1), row(1.2, 1)] })));
    expect(faces).to.deep.equal([
      {
        id: 0,
        name: null,
        tracks: [
          { start: 0, end: 0.5 },
          { start: 1.1, end: 1.3 },
        ],
        talking: [
          { start: 0, end: 0.1, score: 0 },
          { start: 0.1, end: 0.5, score: 1 },
          { start: 1.1, end: 1.3, score: 1 },
        ],
        boxes: [0, 1.2].map((at) => ({ at, left: 0.1, top: 0.2, width: 0.2, height: 0.2 })),
      },
    ]);
  });

  it('numbers faces by first appearance, independent of the order of tracks and rows', async () => {
    const rows = [row(3, 0), row(3.2, 1), row(3.4, 1)];
    const inOrder = parseAswJson(lines({ b: [row(1, 0)], a: rows }));
    expect(right(inOrder).faces.map(({ tracks }) => tracks[0]?.start)).to.deep.equal([0.9, 2.9]);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rows, { minLength: 3 }), async (shuffled) => {
        expect(parseAswJson(lines({ a: shuffled, b: [row(1, 0)] }))).to.deep.equal(inOrder);
      }),
    );
  });

  const broken: Readonly<Record<string, [row: string, place: string, message: RegExp]>> = {
    'a label out of range': ['{"time": 1, "label": 2}', 'a[1].label', /^is not 0 \(silent\) or 1 \(talking\)$/],
    'a missing label': ['{"time": 1}', 'a[1].label', /^is missing; it must be 0/],
    'a text for a time': ['{"time": "1", "label": 0}', 'a[1].time', /^"1" is not a number of seconds$/],
    'a negative time': ['{"time": -1, "label": 0}', 'a[1].time', /^-1 is negative$/],
    'a row that is none': ['7', 'a[1]', /^is not an object$/],
    'two numbers for one': ['{"time": 1 2, "label": 0}', '', /^not valid JSON: Expected ','/],
    'a missing comma': ['{"time": 1, "label": 0} {"time": 2, "label": 0}', '', /^not valid JSON: Expected ','/],
    'a text after the end': ['{"time": 1, "label": 0}]} more', '', /^not valid JSON: Unexpected non-whitespace/],
    'a word for a time': ['{"time": soon, "label": 0}', '', /^not valid JSON: Unexpected token 's'$/],
  };
  Object.entries(broken).forEach(([what, [text, place, message]]) => {
    it(`reports the place of ${what}`, async () => {
      const error = left(parseAswJson(['{', '"a": [', '{"time": 1, "label": 0},', text, ']', '}']));
      expect(error.path ?? '').to.equal(place);
      expect(error.line).to.equal(place === '' ? 4 : null);
      expect(error.message).to.match(message);
    });
  });

  it('refuses a file without rows', async () => {
    expect(left(parseAswJson(['{}'])).message).to.equal('the document has no faces');
  });
});
