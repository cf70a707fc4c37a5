import type { Position } from '../../../domain/kernel/recorded-event.js';

const digits = 16;

/** A row's number as a text of fixed width, so that the order of texts is the order of the log. */
export const toPosition = (row: number): Position => String(row).padStart(digits, '0');

export const isPosition = (text: string): boolean => /^\d{16}$/.test(text);

/** The row's number of a position, 0 for null: before the first. Throws on a text that is no position of this store. */
export const toRow = (position: Position | null): number => {
  if (position === null) return 0;
  if (!isPosition(position)) throw new Error(`"${position}" is not a position of this store`);
  return Number(position);
};
