import * as t from 'io-ts';

/** A list of at least one item. */
export const nonEmpty = <Item extends t.Mixed>(item: Item) =>
  t.refinement(t.readonlyArray(item), (items) => items.length > 0, 'a list that is not empty');

const longestText = 10_000;

/** A text as a client may store it. */
export const Text = t.refinement(t.string, (text) => text.length <= longestText && text.isWellFormed(), 'Text');
