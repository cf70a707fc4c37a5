import * as E from 'fp-ts/lib/Either.js';
import { type Address, readAddress } from '../../../adapters/event-store/eventstoredb/address.js';

/** A connection string that is known to be right. */
export const addressOf = (text: string): Address => {
  const address = readAddress(text);
  if (E.isLeft(address)) throw new Error(address.left);
  return address.right;
};
