import { munkres } from 'munkres';
import { at, type Matrix } from './matrix.js';

export interface Link {
  readonly row: number;
  readonly column: number;
}

const gainOf = (gains: Matrix, row: number, column: number): number => {
  const gain = at(gains, row, column);
  return Number.isFinite(gain) && gain > 0 ? gain : 0;
};

/**
 * The one-to-one links with the maximum total gain (exact, Kuhn and Munkres). An unlinked row or column gains 0, so
 * links with a gain of 0 or less are not made. A gain that is not finite counts as 0.
 */
export const bestLinks = (gains: Matrix): readonly Link[] => {
  if (gains.rows === 0 || gains.columns === 0) return [];
  const costs = gains.cells.map((gain) => (gain > 0 && gain < Infinity ? -gain : 0));
  const { columns } = gains;
  return munkres(Array.from({ length: gains.rows }, (_, row) => costs.subarray(row * columns, (row + 1) * columns)))
    .map(([row, column]) => ({ row, column }))
    .filter(({ row, column }) => gainOf(gains, row, column) > 0)
    .sort((a, b) => a.row - b.row);
};
