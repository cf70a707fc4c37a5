import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

/**
 * A refusal lists at most 20 errors (see `decode.ts`). Each invalid item has at least one, so decoding can stop after 21
 * invalid items without changing the answer.
 */
const maxInvalidItems = 21;

/** What a list must be, to follow "must be" in a message; null if the list is valid. */
type CheckList = (items: ReadonlyArray<unknown>) => string | null;

const noCheck: CheckList = () => null;

const count = (number: number): string => number.toLocaleString('en-US');

const tooLong = (most: number, what: string): string => `a list of at most ${count(most)} ${what}`;

/** The errors of the items. `keep` is called with each decoded item. */
const errorsOf = <Item>(
  item: t.Decoder<unknown, Item> & t.Mixed,
  items: ReadonlyArray<unknown>,
  context: t.Context,
  keep: (decoded: Item) => void,
): t.Errors => {
  const errors: t.Errors = [];
  let invalid = 0;
  let index = 0;
  for (const value of items) {
    const decoded = item.validate(value, t.appendContext(context, String(index), item, value));
    index += 1;
    if (E.isRight(decoded)) {
      keep(decoded.right);
      continue;
    }
    errors.push(...decoded.left);
    invalid += 1;
    if (invalid === maxInvalidItems) break;
  }
  return errors;
};

/**
 * A list of at most `most` items, which messages call `what`. The length is checked before any item is decoded, and decoding
 * stops when further errors would not change the answer, so that a list of millions of invalid items costs little.
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

/** A list of at least one and at most `most` items. */
export const nonEmpty = <Item extends t.Mixed>(item: Item, most: number, what: string, name: string) =>
  t.refinement(list(item, most, what), (items) => items.length > 0, name);
