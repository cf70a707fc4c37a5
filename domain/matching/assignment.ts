import { at, type Matrix, tabulate } from './matrix.js';

export interface Link {
  readonly row: number;
  readonly column: number;
}

/** An assignment while it is being found: rows bid for columns, whose prices rise. */
interface Auction {
  /** As many rows as columns, or fewer. */
  readonly gains: Matrix;
  readonly prices: Float64Array;
  /** The column of each row and the row of each column, -1 for none. */
  readonly columnOf: Int32Array;
  readonly rowOf: Int32Array;
}

/** Prices at the columns' means make most bids of rows that hardly differ right at once: a fifth of the time or less. */
const meansOf = ({ rows, columns, cells }: Matrix): Float64Array => {
  const means = new Float64Array(columns);
  for (let cell = 0, column = 0; cell < cells.length; cell += 1) {
    means[column] = (means[column] ?? 0) + (cells[cell] ?? 0) / rows;
    column = column + 1 === columns ? 0 : column + 1;
  }
  // Whole numbers keep sums of whole gains exact.
  return means.map(Math.floor);
};

/**
 * Each row takes the column with the highest gain after its price, and raises the price by what it gains there more
 * than elsewhere; who had the column bids again, as long as there are bids left. Returns the rows that have none then.
 */
const bid = ({ gains: { rows, columns, cells }, prices, columnOf, rowOf }: Auction): ReadonlyArray<number> => {
  const waiting = Array.from({ length: rows }, (_, n) => rows - 1 - n);
  const left: number[] = [];
  for (let bids = 16 * rows; bids > 0; bids -= 1) {
    const row = waiting.pop();
    if (row === undefined) break;
    let [best, second, column, other] = [-Infinity, -Infinity, -1, -1];
    for (let c = 0, cell = row * columns; c < columns; c += 1, cell += 1) {
      const gain = (cells[cell] ?? 0) - (prices[c] ?? 0);
      if (gain <= second) continue;
      if (gain <= best) [second, other] = [gain, c];
      else [second, other, best, column] = [best, column, gain, c];
    }
    const isTie = best === second;
    if (isTie && (rowOf[column] ?? -1) >= 0) column = other;
    else if (second > -Infinity) prices[column] = (prices[column] ?? 0) + best - second;
    const holder = rowOf[column] ?? -1;
    rowOf[column] = row;
    columnOf[row] = column;
    if (holder < 0) continue;
    columnOf[holder] = -1;
    (isTie ? left : waiting).push(holder);
  }
  return [...left, ...waiting];
};

/** Gives a row a column by the shortest augmenting path: Dijkstra's search over what other rows lose by moving on. */
const augment = ({ gains: { columns, cells }, prices, columnOf, rowOf }: Auction, first: number): void => {
  const losses = new Float64Array(columns).fill(Infinity);
  const comesFrom = new Int32Array(columns);
  const isSettled = new Uint8Array(columns);
  const settled: number[] = [];
  let [row, gained, least, column] = [first, 0, 0, -1];
  for (;;) {
    least = Infinity;
    for (let c = 0, cell = row * columns; c < columns; c += 1, cell += 1) {
      if (isSettled[c] === 1) continue;
      const loss = gained - (cells[cell] ?? 0) + (prices[c] ?? 0);
      if (loss < (losses[c] ?? 0)) {
        losses[c] = loss;
        comesFrom[c] = row;
      }
      const found = losses[c] ?? 0;
      if (found > least || (found === least && (rowOf[c] ?? -1) >= 0)) continue;
      least = found;
      column = c;
    }
    row = rowOf[column] ?? -1;
    if (row < 0) break;
    isSettled[column] = 1;
    settled.push(column);
    gained = least + (cells[row * columns + column] ?? 0) - (prices[column] ?? 0);
  }
  for (const c of settled) prices[c] = (prices[c] ?? 0) + least - (losses[c] ?? 0);
  while (column >= 0) {
    row = comesFrom[column] ?? first;
    rowOf[column] = row;
    const before = columnOf[row] ?? -1;
    columnOf[row] = column;
    column = before;
  }
};

/**
 * The one-to-one links with the maximum total gain (exact: Jonker and Volgenant, A Shortest Augmenting Path Algorithm
 * for Dense and Sparse Linear Assignment Problems, Computing 38, 1987). An unlinked row or column gains 0, so links
 * with a gain of 0 or less are not made. A gain that is not finite counts as 0.
 */
export const bestLinks = (gains: Matrix): readonly Link[] => {
  const isWide = gains.rows <= gains.columns;
  const [rows, columns] = isWide ? [gains.rows, gains.columns] : [gains.columns, gains.rows];
  if (rows === 0) return [];
  const gainOf = (r: number, c: number): number => {
    const gain = r >= rows ? 0 : isWide ? at(gains, r, c) : at(gains, c, r);
    return gain > 0 && gain < Infinity ? gain : 0;
  };
  // Prices may begin anywhere only where every column gets a row: rows that gain nothing are added if few are missing.
  const isSquare = 10 * rows >= 9 * columns;
  const table = tabulate(isSquare ? columns : rows, columns, gainOf);
  const auction: Auction = {
    gains: table,
    prices: isSquare ? meansOf(table) : new Float64Array(columns),
    columnOf: new Int32Array(table.rows).fill(-1),
    rowOf: new Int32Array(columns).fill(-1),
  };
  for (const row of bid(auction)) augment(auction, row);
  return Array.from(auction.columnOf, (column, row) => (isWide ? { row, column } : { row: column, column: row }))
    .filter(({ row, column }, n) => n < rows && gainOf(isWide ? row : column, isWide ? column : row) > 0)
    .sort((a, b) => a.row - b.row);
};
