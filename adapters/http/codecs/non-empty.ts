import * as t from 'io-ts';
import { list } from './list.js';

/** A list of at least one item and at most so many. */
export const nonEmpty = <Item extends t.Mixed>(item: Item, most: number, what: string, name: string) =>
  t.refinement(list(item, most, what), (items) => items.length > 0, name);

const longestText = 10_000;

/** A text as a client may store it. */
export const Text = t.refinement(t.string, (text) => text.length <= longestText && text.isWellFormed(), 'Text');
