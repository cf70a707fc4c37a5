import * as t from 'io-ts';
import { encoderOf } from '../encoding.js';
import { nullable } from '../../../domain/kernel/event-codecs.js';

/** A page of a list: the items under the name of what is listed, and where the next page begins; null: nowhere. */
export const pageOf = <Item extends t.Mixed>(list: string, item: Item, name: string) =>
  Object.assign(t.type({ [list]: t.readonlyArray(item), next_cursor: nullable(t.string) }, name), {
    list,
    encodeItem: encoderOf<t.TypeOf<Item>>(item),
  });

export type Page<Item extends t.Mixed> = ReturnType<typeof pageOf<Item>>;
