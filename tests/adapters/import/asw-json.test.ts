import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseAswJson } from './parse.js';
import { asExpectedFaces, aswFaces, expectedOf, left, linesOf, right } from './support.js';

const row = (time: number, label: number): object => ({ time, bbox: [0.1, 0.2, 0.3, 0.4], label, eval: 1 });
const lines = (value: unknown): string[] => JSON.stringify(value, null, 2).split('\n');

describe('ASW JSON parser', () => {
  it('reads the faces of the debate as in the ground truth', async () => {
    const { faces, summary } = right(await parseAswJson(await linesOf(aswFaces)));
    const expected = await expectedOf('asw-voxconverse/DT38D1C3_ZA.expected.json');
    expect(asExpectedFaces(faces)).to.deep.equal(expected.faces);
    expect(summary).to.deep.equal({ recording: null, rows: 192, seconds: 38.4, dropped: [], notes: [] });
  });

  it('reads a file of a single line', async () => {
    const text = (await linesOf(aswFaces)).join('\n');
    const minified = JSON.stringify(JSON.parse(text));
    expect(await parseAswJson([minified])).to.deep.equal(await parseAswJson(text.split('\n')));
  });

  it('extends each row to its 0.2 seconds, but not before 0', async () => {
    const { faces } = right(await parseAswJson(lines({ a: [row(0, 0), row(0.2, 1), row(0.4, 1), row(1.2, 1)] })));
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
      },
    ]);
  });

  it('numbers faces by first appearance, independent of the order of tracks and rows', async () => {
    const rows = [row(3, 0), row(3.2, 1), row(3.4, 1)];
    const inOrder = await parseAswJson(lines({ b: [row(1, 0)], a: rows }));
    expect(right(inOrder).faces.map(({ tracks }) => tracks[0]?.start)).to.deep.equal([0.9, 2.9]);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rows, { minLength: 3 }), async (shuffled) => {
        expect(await parseAswJson(lines({ a: shuffled, b: [row(1, 0)] }))).to.deep.equal(inOrder);
      }),
    );
  });

  it('reports the last line of a truncated file', async () => {
    const whole = lines({ track_000000: [row(1, 0), row(1.2, 1)], track_000001: [row(2, 0)] });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (count) => {
        const error = left(await parseAswJson(whole.slice(0, count)));
        expect(error.line).to.equal(count);
        expect(error.message).to.match(/^the JSON is incomplete/);
      }),
    );
  });

  const good = ['{', '"a": [', '{"time": 1, "label": 0},'];
  const broken: Readonly<Record<string, [row: string, message: RegExp]>> = {
    'a label out of range': ['{"time": 1, "label": 2}', /^label is not 0 \(silent\) or 1 \(talking\)$/],
    'a missing label': ['{"time": 1}', /^label is not 0/],
    'a text for a time': ['{"time": "1", "label": 0}', /^time is not a number of seconds$/],
    'a negative time': ['{"time": -1, "label": 0}', /^time -1 is negative$/],
    'an endless time': ['{"time": 1e999, "label": 0}', /^time Infinity is not a finite number$/],
    NaN: ['{"time": NaN, "label": 0}', /NaN is not a value$/],
    'two numbers for one': ['{"time": 1 2, "label": 0}', /^the row that starts here is not valid JSON/],
    'a broken box': ['{"time": 1, "label": 0, "bbox": "all"}', /^bbox is not a list of numbers$/],
    'a row that is none': ['7', /^not valid JSON of this format: 7 where \{ is expected$/],
    'an open text': ['{"time": 1, "label: 0}', /^not valid JSON: a string has no closing quotation mark$/],
    'a row inside a row': ['{"time": 1, "x": {', /a row starts inside another$/],
    'a missing comma': ['{"time": 1, "label": 0} {"time": 2, "label": 0}', /\{ where , or \] is expected$/],
    'a text after the end': ['{"time": 1, "label": 0}]} more', /more where the end is expected$/],
  };
  Object.entries(broken).forEach(([what, [text, message]]) => {
    it(`reports the line of ${what}`, async () => {
      const error = left(await parseAswJson([...good, text, ']', '}']));
      expect(error.line).to.equal(4);
      expect(error.message).to.match(message);
    });
  });

  it('reports the line of an invalid field inside a row of several lines', async () => {
    const text = lines({ a: [row(1, 0), { ...row(1.2, 0), label: 'no' }] });
    const line = text.findIndex((one) => one.includes('"no"')) + 1;
    expect(left(await parseAswJson(text)).line).to.equal(line);
  });

  it('refuses a file without rows', async () => {
    expect(left(await parseAswJson([])).message).to.equal('the file is empty');
    expect(left(await parseAswJson(['{}'])).message).to.equal('the file has no rows');
  });
});
