import { expect } from 'chai';
import { bestLinks } from '../../../domain/matching/assignment.js';
import { type Decided, decidedPairs, openPairs } from '../../../domain/matching/decided.js';
import { columnSums, type Matrix, tabulate } from '../../../domain/matching/matrix.js';
import { namedPairs, possiblePairs } from '../../../domain/matching/named-pairs.js';
import { faceId, speakerId } from '../../support/values.js';
import { face, spans, speaker } from './cases.js';

const rowsOf = ({ rows, columns, cells }: Matrix): readonly (readonly number[])[] =>
  Array.from({ length: rows }, (_, row) => [...cells.subarray(row * columns, (row + 1) * columns)]);

const tableOf = (rows: readonly (readonly number[])[]): Matrix =>
  tabulate(rows.length, rows[0]?.length ?? 0, (row, column) => rows[row]?.[column] ?? 0);

describe('matching: a matrix', () => {
  it('is filled cell by cell, each once', () => {
    const visited: string[] = [];
    const made = tabulate(2, 3, (row, column) => visited.push(`${row},${column}`));
    expect(visited).to.deep.equal(['0,0', '0,1', '0,2', '1,0', '1,1', '1,2']);
    expect(rowsOf(made)).to.deep.equal([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it('has a sum for each column, even without rows', () => {
    expect(
      columnSums(
        tableOf([
          [1, 2, 3],
          [4, 5, 6],
        ]),
      ),
    ).to.deep.equal([5, 7, 9]);
    expect(columnSums(tabulate(0, 2, () => 1))).to.deep.equal([0, 0]);
  });
});

describe('matching: the best links', () => {
  it('are ordered by row', () => {
    const links = bestLinks(
      tableOf([
        [0, 5, 0],
        [0, 0, 3],
        [4, 0, 0],
        [1, 4, 2],
      ]),
    );
    expect(links).to.deep.equal([
      { row: 0, column: 1 },
      { row: 1, column: 2 },
      { row: 2, column: 0 },
    ]);
  });

  it('are none if a side is empty', () => {
    expect(bestLinks(tabulate(0, 3, () => 1))).to.deep.equal([]);
    expect(bestLinks(tabulate(3, 0, () => 1))).to.deep.equal([]);
    expect(bestLinks(tabulate(0, 0, () => 1))).to.deep.equal([]);
  });
});

describe('matching: pairs that may belong together', () => {
  const speakers = [7, 8, 9].map((id) => speaker(id, []));
  const faces = [1, 2, 3, 4].map((id) => face(id, []));
  const pair = (face_id: number, speaker_id: number) => ({
    face_id: faceId(face_id),
    speaker_id: speakerId(speaker_id),
  });
  const decided = (parts: Partial<Decided>) =>
    decidedPairs({ confirmed: [], unseen: [], rejected: [], ...parts }, speakers, faces);
  const open = (parts: Partial<Decided>, ...named: readonly (readonly [row: number, column: number])[]) =>
    rowsOf(
      openPairs(
        3,
        4,
        decided(parts),
        named.map(([row, column]) => ({ row, column })),
      ),
    );

  it('are all without other information', () =>
    expect(open({})).to.deep.equal([
      [1, 1, 1, 1],
      [1, 1, 1, 1],
      [1, 1, 1, 1],
    ]));

  it('are confirmed pairs, and the others among themselves', () =>
    expect(open({ confirmed: [pair(3, 8)] })).to.deep.equal([
      [1, 1, 0, 1],
      [0, 0, 1, 0],
      [1, 1, 0, 1],
    ]));

  it('exclude rejected pairs', () =>
    expect(open({ rejected: [pair(1, 9), pair(4, 8)] })).to.deep.equal([
      [1, 1, 1, 1],
      [1, 1, 1, 0],
      [0, 1, 1, 1],
    ]));

  it('exclude speakers that are not visible', () => {
    expect(open({ unseen: [speakerId(8)] })).to.deep.equal([
      [1, 1, 1, 1],
      [0, 0, 0, 0],
      [1, 1, 1, 1],
    ]);
    expect([0, 1, 2].map(decided({ unseen: [speakerId(8)] }).isUnseen)).to.deep.equal([false, true, false]);
  });

  it('are pairs with equal names only', () =>
    expect(open({ confirmed: [pair(1, 7)] }, [2, 3])).to.deep.equal([
      [1, 0, 0, 0],
      [0, 1, 1, 0],
      [0, 0, 0, 1],
    ]));

  it('ignore decisions about unknown ids', () => {
    const about = { confirmed: [pair(1, 99), pair(99, 7)], unseen: [speakerId(99)], rejected: [pair(99, 99)] };
    expect(decided(about).confirmed).to.deep.equal([]);
    expect(open(about)).to.deep.equal(open({}));
  });

  it('are free while neither side is taken', () => {
    const { isFree } = decided({ confirmed: [pair(2, 7)], unseen: [speakerId(9)], rejected: [pair(3, 8)] });
    const free = (row: number) => [0, 1, 2, 3].map((column) => isFree(row, column));
    expect([0, 1, 2].map(free)).to.deep.equal([
      [false, false, false, false],
      [true, false, false, true],
      [false, false, false, false],
    ]);
  });

  it('by name are a table too', () =>
    expect(rowsOf(possiblePairs(2, 3, [{ row: 1, column: 0 }]))).to.deep.equal([
      [0, 1, 1],
      [1, 0, 0],
    ]));

  it('come from names first, then from captions', () =>
    expect(
      namedPairs(
        [
          face(1, spans([0, 9]), { captions: [{ start: 0, end: 1, text: 'Ann Lee' }] }),
          face(2, [], { name: 'BOB RAY' }),
          face(3, []),
        ],
        [speaker(6, []), speaker(7, spans([0, 9]), 'Ann Lee'), speaker(8, [], 'Bob Ray')],
      ),
    ).to.deep.equal([
      { row: 2, column: 1, accuracy: 0.99, evidence: { equal_name: 'BOB RAY' } },
      { row: 1, column: 0, accuracy: 0.95, evidence: { caption: 'Ann Lee' } },
    ]));
});
