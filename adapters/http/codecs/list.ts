import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

/** Things in order: an array, or what is read piece by piece from the bytes of a large body. Can be walked repeatedly. */
export interface Items<Item> extends Iterable<Item> {
  readonly length: number;
}

/**
 * A refusal names 20 places at most (see `decode.ts`), and knows by the twenty-first that there are more. Each item
 * that does not fit is at least one place, so nothing after that many of them can change the answer.
 */
const mostFaultyItems = 21;

/** What else is wrong with a list as a whole, in words that follow "must be"; null when nothing is. */
type CheckList = (items: Items<unknown>) => string | null;

const noCheck: CheckList = () => null;
const nothing = (): void => undefined;

const count = (number: number): string => number.toLocaleString('en-US');

const tooLong = (most: number, what: string): string => `a list of at most ${count(most)} ${what}`;

/** What is wrong with the items; `keep` is told of each that is decoded. */
const errorsOf = <Item>(
  item: t.Decoder<unknown, Item> & t.Mixed,
  items: Items<unknown>,
  context: t.Context,
  keep: (decoded: Item) => void,
): t.Errors => {
  const errors: t.Errors = [];
  let faulty = 0;
  let index = 0;
  for (const value of items) {
    const decoded = item.validate(value, t.appendContext(context, String(index), item, value));
    index += 1;
    if (E.isRight(decoded)) {
      keep(decoded.right);
      continue;
    }
    errors.push(...decoded.left);
    faulty += 1;
    if (faulty === mostFaultyItems) break;
  }
  return errors;
};

/**
 * A list of at most so many items, which are called `what` in its refusal. Its length is looked at before any item is
 * decoded, and decoding stops where more errors would change nothing, so that a list of millions of wrong items costs
 * little time and memory.
 */
export const list = <Item extends t.Mixed>(item: Item, most: number, what: string, check: CheckList = noCheck) => {
  const plain = t.readonlyArray(item);
  const limited = new t.ReadonlyArrayType<Item, ReadonlyArray<t.TypeOf<Item>>, ReadonlyArray<t.OutputOf<Item>>>(
    plain.name,
    (value): value is ReadonlyArray<t.TypeOf<Item>> => plain.is(value) && value.length <= most,
    (value, context) => {
      if (!Array.isArray(value)) return t.failure(value, context);
      const wrong = value.length > most ? tooLong(most, what) : check(value);
      if (wrong !== null) return t.failure(value.length, context, wrong);
      const items: Array<t.TypeOf<Item>> = [];
      const errors = errorsOf<t.TypeOf<Item>>(item, value, context, (decoded) => void items.push(decoded));
      return errors.length > 0 ? t.failures(errors) : t.success(items);
    },
    plain.encode,
    item,
  );
  return Object.assign(limited, { most });
};

/** Whether a value is a list, or is read as one. */
export const isItems = (value: unknown): value is Items<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value && 'length' in value;

/**
 * The same for lists that may hold hundreds of thousands of items: also takes items that are read piece by piece, and
 * answers them as they are.
 */
export const longList = <Item extends t.Mixed>(item: Item, most: number, what: string) =>
  Object.assign(
    new t.Type<Items<t.TypeOf<Item>>, Items<t.OutputOf<Item>>>(
      'LongList',
      (value): value is Items<t.TypeOf<Item>> => isItems(value) && value.length <= most && [...value].every(item.is),
      (value, context) => {
        if (!isItems(value)) return t.failure(value, context);
        if (value.length > most) return t.failure(value.length, context, tooLong(most, what));
        const errors = errorsOf(item, value, context, nothing);
        return errors.length > 0 ? t.failures(errors) : t.success(value);
      },
      t.identity,
    ),
    /* As those of io-ts say it, for what walks over codecs. */
    { _tag: 'LongListType' as const, type: item, most },
  );

/** A list of at least one item and at most so many. */
export const nonEmpty = <Item extends t.Mixed>(item: Item, most: number, what: string, name: string) =>
  t.refinement(list(item, most, what), (items) => items.length > 0, name);
