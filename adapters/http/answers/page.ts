import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/recorded-event.js';

/** The codec of a page of a list: the items in a field named `list`, and the cursor of the next page. */
export const pageOf = <Item extends t.Mixed>(list: string, item: Item, name: string) =>
  Object.assign(t.type({ [list]: t.readonlyArray(item), next_cursor: nullable(t.string) }, name), { list, item });

export type Page<Item extends t.Mixed> = ReturnType<typeof pageOf<Item>>;
