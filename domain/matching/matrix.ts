/** A table of numbers with one row per speaker and one column per face. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly cells: Float64Array;
}

export const zeros = (rows: number, columns: number): Matrix => ({
  rows,
  columns,
  cells: new Float64Array(rows * columns),
});

export const at = (matrix: Matrix, row: number, column: number): number =>
  matrix.cells[row * matrix.columns + column] ?? 0;

/** Adds to a cell in place, while the matrix is being built. */
export const add = (matrix: Matrix, row: number, column: number, amount: number): void => {
  matrix.cells[row * matrix.columns + column] = at(matrix, row, column) + amount;
};

export const tabulate = (rows: number, columns: number, cell: (row: number, column: number) => number): Matrix => {
  const matrix = zeros(rows, columns);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) matrix.cells[row * columns + column] = cell(row, column);
  return matrix;
};

/** Sums by column, in the order of the rows. */
export const columnSums = ({ rows, columns, cells }: Matrix): Float64Array => {
  const sums = new Float64Array(columns);
  for (let row = 0, cell = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1, cell += 1)
      sums[column] = (sums[column] ?? 0) + (cells[cell] ?? 0);
  return sums;
};
