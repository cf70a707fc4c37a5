import { type Matrix, tabulate } from './matrix.js';

/**
 * The possible pairs in columnar form: as objects, millions of them would take gigabytes. `wish` and `room` are the
 * messages between a pair's speaker and face: how much the speaker wants the face, and how free the face is of other
 * speakers.
 */
interface Edges {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  readonly odds: Float64Array;
  readonly wish: Float64Array;
  readonly room: Float64Array;
}

const rounds = 30;
/** Log odds are clamped to this; beyond it only rounding changes. */
const bound = 12;
/** Limit of the resulting log odds. */
const surest = Math.log(1e4 - 1);

const bounded = (value: number, by: number): number => Math.min(by, Math.max(-by, value));

const edgesOf = (logOdds: Matrix): Edges => {
  const count = logOdds.cells.reduce((sum, cell) => (cell === -Infinity ? sum : sum + 1), 0);
  const [rows, columns, odds] = [new Uint32Array(count), new Uint32Array(count), new Float64Array(count)];
  let edge = 0;
  logOdds.cells.forEach((own, cell) => {
    if (own === -Infinity) return;
    rows[edge] = Math.floor(cell / logOdds.columns);
    columns[edge] = cell % logOdds.columns;
    odds[edge] = Math.exp(bounded(own, bound));
    edge += 1;
  });
  return { rows, columns, odds, wish: odds.slice(), room: new Float64Array(count).fill(1) };
};

const exchange = ({ rows, columns, odds, wish, room }: Edges, size: Matrix): void => {
  const wishes = new Float64Array(size.columns);
  columns.forEach((column, edge) => (wishes[column] = (wishes[column] ?? 0) + (wish[edge] ?? 0)));
  columns.forEach((column, edge) => (room[edge] = 1 / (1 + Math.max(0, (wishes[column] ?? 0) - (wish[edge] ?? 0)))));
  const claims = new Float64Array(size.rows);
  const claimOf = (edge: number): number => (odds[edge] ?? 0) * (room[edge] ?? 0);
  rows.forEach((row, edge) => (claims[row] = (claims[row] ?? 0) + claimOf(edge)));
  rows.forEach((row, edge) => {
    wish[edge] = (odds[edge] ?? 0) / (1 + Math.max(0, (claims[row] ?? 0) - claimOf(edge)));
  });
};

/**
 * The log odds of each pair if a speaker has at most one face and a face at most one speaker: the marginals over all
 * one-to-one assignments, weighted by the product of the pairs' odds, by belief propagation (Williams and Lau 2014,
 * data association). `-Infinity` marks impossible pairs and stays.
 */
export const jointLogOdds = (logOdds: Matrix): Matrix => {
  const edges = edgesOf(logOdds);
  for (let round = 0; round < rounds; round += 1) exchange(edges, logOdds);
  const found = tabulate(logOdds.rows, logOdds.columns, () => -Infinity);
  edges.rows.forEach((row, edge) => {
    const odds = (edges.wish[edge] ?? 0) * (edges.room[edge] ?? 0);
    found.cells[row * found.columns + (edges.columns[edge] ?? 0)] = bounded(Math.log(odds), surest);
  });
  return found;
};
