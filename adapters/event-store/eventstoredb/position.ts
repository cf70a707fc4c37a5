import { type Position, positionIn as positionOfWidth } from '../../../domain/kernel/recorded-event.js';

const digits = 20;

/**
 * A commit position (an unsigned 64-bit integer) as a text of fixed width, so that positions sort as texts in the order
 * of the log.
 */
export const toPosition = (commit: bigint | number | string): Position => String(commit).padStart(digits, '0');

export const isPosition = (text: string): boolean => /^\d{20}$/.test(text);

export const positionIn = (text: string): Position | null => positionOfWidth(text, digits);

/**
 * The commit position of a position; throws on a text that is not a position of this store. Events appended without an
 * explicit transaction, which gRPC does not support, have the same prepare position.
 */
export const toCommit = (position: Position): bigint => {
  if (!isPosition(position)) throw new Error(`"${position}" is not a position of this store`);
  return BigInt(position);
};
