import { at, type Matrix, tabulate } from './matrix.js';

/** One pair that may belong together, with the messages that its speaker and its face send along it. */
interface Edge {
  readonly row: number;
  readonly column: number;
  readonly odds: number;
  /** How much the speaker wants the face, and how free the face is of other speakers. */
  wish: number;
  room: number;
}

const rounds = 30;
/** Beyond these odds (e to the 12th) nothing changes but the rounding. */
const bound = 12;
/** A pair that is ruled out by others, or alone, is never more or less sure than this. */
const surest = Math.log(1e4 - 1);

const bounded = (value: number, by: number): number => Math.min(by, Math.max(-by, value));

const edgesOf = (logOdds: Matrix): readonly Edge[] =>
  Array.from({ length: logOdds.rows }, (_, row) => row).flatMap((row) =>
    Array.from({ length: logOdds.columns }, (_, column) => column).flatMap((column) => {
      const own = at(logOdds, row, column);
      if (own === -Infinity) return [];
      const odds = Math.exp(bounded(own, bound));
      return [{ row, column, odds, wish: odds, room: 1 }];
    }),
  );

const sums = (edges: readonly Edge[], size: number, owner: (edge: Edge) => number, value: (edge: Edge) => number) => {
  const totals = new Float64Array(size);
  for (const edge of edges) totals[owner(edge)] = (totals[owner(edge)] ?? 0) + value(edge);
  return totals;
};

const exchange = (edges: readonly Edge[], { rows, columns }: Matrix): void => {
  const wishes = sums(
    edges,
    columns,
    ({ column }) => column,
    ({ wish }) => wish,
  );
  for (const edge of edges) edge.room = 1 / (1 + Math.max(0, (wishes[edge.column] ?? 0) - edge.wish));
  const claims = sums(
    edges,
    rows,
    ({ row }) => row,
    ({ odds, room }) => odds * room,
  );
  for (const edge of edges) edge.wish = edge.odds / (1 + Math.max(0, (claims[edge.row] ?? 0) - edge.odds * edge.room));
};

/**
 * The log odds of each pair once a speaker has one face at most and a face one speaker at most, or nobody: the
 * marginals over all one-to-one links, each weighed by the product of its pairs' odds, by belief propagation
 * (Williams and Lau 2014, data association). `-Infinity` marks pairs that cannot be, and stays.
 */
export const jointLogOdds = (logOdds: Matrix): Matrix => {
  const edges = edgesOf(logOdds);
  for (let round = 0; round < rounds; round += 1) exchange(edges, logOdds);
  const found = tabulate(logOdds.rows, logOdds.columns, () => -Infinity);
  for (const { row, column, wish, room } of edges)
    found.cells[row * found.columns + column] = bounded(Math.log(wish * room), surest);
  return found;
};
