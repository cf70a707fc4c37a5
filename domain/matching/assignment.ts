import { at, columnSums, type Matrix, tabulate } from './matrix.js';

export interface Link {
  readonly row: number;
  readonly column: number;
}

/** An assignment while it is being found: rows bid for columns, whose prices rise. */
interface Auction {
  readonly gains: Matrix;
  readonly prices: Float64Array;
  /** The column of each row and the row of each column, -1 for none. */
  readonly columnOf: Int32Array;
  readonly rowOf: Int32Array;
}

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

const transposed = (matrix: Matrix): Matrix =>
  tabulate(matrix.columns, matrix.rows, (row, column) => at(matrix, column, row));

/** The links of a table whose rows and columns all depend on each other. */
const linksWithin = (gains: Matrix): readonly Link[] => {
  const { rows, columns } = gains;
  if (rows > columns) return linksWithin(transposed(gains)).map(({ row, column }) => ({ row: column, column: row }));
  // Prices may begin anywhere only where every column gets a row: rows that gain nothing are added if few are missing.
  // At the columns' means most rows find theirs at once. Whole numbers keep sums of whole gains exact.
  const isSquare = 10 * rows >= 9 * columns;
  const size = isSquare ? columns : rows;
  const cells = new Float64Array(size * columns);
  gains.cells.forEach((gain, cell) => (cells[cell] = gain > 0 && gain < Infinity ? gain : 0));
  const table: Matrix = { rows: size, columns, cells };
  const auction: Auction = {
    gains: table,
    prices: isSquare ? columnSums(table).map((sum) => Math.floor(sum / columns)) : new Float64Array(columns),
    columnOf: new Int32Array(size).fill(-1),
    rowOf: new Int32Array(columns).fill(-1),
  };
  for (let row = 0; row < size; row += 1) augment(auction, row);
  return Array.from(auction.columnOf, (column, row) => ({ row, column })).filter(
    ({ row, column }) => at(table, row, column) > 0,
  );
};

interface Component {
  readonly rows: number[];
  readonly columns: number[];
}

/** The rows and columns that gains above 0 connect, directly or through others: most have one row and one column. */
const componentsOf = ({ rows, columns, cells }: Matrix): ReadonlyArray<Component> => {
  const parents = Int32Array.from({ length: rows + columns }, (_, node) => node);
  const rootOf = (node: number): number => {
    let root = node;
    for (let parent = parents[root] ?? root; parent !== root; parent = parents[root] ?? root) {
      parents[root] = parents[parent] ?? parent;
      root = parent;
    }
    return root;
  };
  for (let row = 0, cell = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1, cell += 1)
      if ((cells[cell] ?? 0) > 0) parents[rootOf(rows + column)] = rootOf(row);
  const components = new Map<number, Component>();
  for (let node = 0; node < rows + columns; node += 1) {
    const root = rootOf(node);
    const component = components.get(root) ?? { rows: [], columns: [] };
    if (node < rows) component.rows.push(node);
    else component.columns.push(node - rows);
    components.set(root, component);
  }
  return [...components.values()];
};

/**
 * The one-to-one links with the maximum total gain, by row (exact: Jonker and Volgenant, A Shortest Augmenting Path
 * Algorithm for Dense and Sparse Linear Assignment Problems, Computing 38, 1987). An unlinked row or column gains 0, so
 * links with a gain of 0 or less are not made. A gain that is not finite counts as 0.
 */
export const bestLinks = (gains: Matrix): readonly Link[] =>
  componentsOf(gains)
    .flatMap(({ rows, columns }) =>
      linksWithin(
        tabulate(rows.length, columns.length, (row, column) => at(gains, rows[row] ?? 0, columns[column] ?? 0)),
      ).flatMap((link): readonly Link[] => {
        const [row, column] = [rows[link.row], columns[link.column]];
        return row === undefined || column === undefined ? [] : [{ row, column }];
      }),
    )
    .sort((a, b) => a.row - b.row);

const rounds = 30;
/** Log odds are clamped to this; beyond it only rounding changes. */
const bound = 12;
/** Limit of the resulting log odds. */
const surest = Math.log(1e4 - 1);

const bounded = (value: number, by: number): number => Math.min(by, Math.max(-by, value));

/**
 * The log odds of each pair if a speaker has at most one face and a face at most one speaker: the marginals over all
 * one-to-one assignments, weighted by the product of the pairs' odds, by belief propagation (Williams and Lau 2014,
 * data association). `-Infinity` marks impossible pairs and stays.
 */
export const jointLogOdds = (logOdds: Matrix): Matrix => {
  const { rows, columns } = logOdds;
  const odds = logOdds.cells.map((own) => (own === -Infinity ? 0 : Math.exp(bounded(own, bound))));
  // The messages of a pair: how much the speaker wants the face, and how free the face is of other speakers.
  const [wish, room] = [odds.slice(), new Float64Array(odds.length)];
  for (let round = 0; round < rounds; round += 1) {
    const wishes = columnSums({ rows, columns, cells: wish });
    for (let first = 0; first < odds.length; first += columns) {
      let claims = 0;
      for (let column = 0, cell = first; column < columns; column += 1, cell += 1) {
        room[cell] = 1 / (1 + Math.max(0, (wishes[column] ?? 0) - (wish[cell] ?? 0)));
        claims += (odds[cell] ?? 0) * (room[cell] ?? 0);
      }
      for (let cell = first; cell < first + columns; cell += 1) {
        const own = odds[cell] ?? 0;
        wish[cell] = own / (1 + Math.max(0, claims - own * (room[cell] ?? 0)));
      }
    }
  }
  const cells = logOdds.cells.map((own, cell) =>
    own === -Infinity ? own : bounded(Math.log((wish[cell] ?? 0) * (room[cell] ?? 0)), surest),
  );
  return { rows, columns, cells };
};
