import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/event-codecs.js';

const partsOf = ({ types }: { readonly types: ReadonlyArray<t.Mixed> }): ReadonlyArray<t.Mixed> => types;
const fieldsOf = ({ props }: { readonly props: t.Props }): ReadonlyArray<readonly [string, t.Mixed]> =>
  Object.entries(props);
const innerOf = ({ type }: { readonly type: t.Mixed }): t.Mixed => type;

/** Whether a codec encodes values unchanged. For intersections, io-ts would copy them all the same. */
const leavesAsIs = (codec: t.Mixed): boolean => {
  if (codec.encode === t.identity) return true;
  if (codec instanceof t.IntersectionType || codec instanceof t.UnionType) return partsOf(codec).every(leavesAsIs);
  if (codec instanceof t.InterfaceType || codec instanceof t.PartialType)
    return fieldsOf(codec).every(([, field]) => leavesAsIs(field));
  if (codec instanceof t.ReadonlyArrayType || codec instanceof t.RefinementType) return leavesAsIs(innerOf(codec));
  return false;
};

type Encode = (value: unknown) => unknown;

/** How to encode the fields of an object that change; null if the codec is not for a plain object. */
const encodedFields = (codec: t.Mixed): ReadonlyMap<string, Encode> | null => {
  if (codec instanceof t.InterfaceType || codec instanceof t.PartialType) {
    return new Map(fieldsOf(codec).flatMap(([name, field]) => (leavesAsIs(field) ? [] : [[name, encodeOf(field)]])));
  }
  if (!(codec instanceof t.IntersectionType)) return null;
  const parts = partsOf(codec).map(encodedFields);
  const all = parts.flatMap((part) => (part === null ? [] : [...part]));
  const fields = new Map(all);
  return parts.includes(null) || fields.size < all.length ? null : fields;
};

const nullableOf = (codec: t.Mixed): t.Mixed | null => {
  const [one, other, ...more] = codec instanceof t.UnionType ? partsOf(codec) : [];
  return other === t.null && more.length === 0 ? (one ?? null) : null;
};

/** A faster `codec.encode`: an object is copied once, and only the fields that change are encoded. */
const encodeOf = (codec: t.Mixed): Encode => {
  if (leavesAsIs(codec)) return t.identity;
  if (codec instanceof t.ReadonlyArrayType) {
    const item = encodeOf(innerOf(codec));
    return (value) => (t.UnknownArray.is(value) ? value.map((one) => item(one)) : value);
  }
  const inner = nullableOf(codec);
  if (inner !== null) {
    const encode = encodeOf(inner);
    return (value) => (value === null ? null : encode(value));
  }
  const fields = encodedFields(codec);
  if (fields === null)
    return (value) => {
      const encoded: unknown = codec.encode(value);
      return encoded;
    };
  return (value) => {
    if (typeof value !== 'object') return value;
    const copy: Record<string, unknown> = { ...value };
    for (const [name, encode] of fields) if (copy[name] !== undefined) copy[name] = encode(copy[name]);
    return copy;
  };
};

/** The encoder of a codec; `t.identity` if it leaves values unchanged. */
export const encoderOf = <Value>(codec: t.Type<Value, unknown>): ((value: Value) => unknown) => encodeOf(codec);

/** The codec of a page of a list: the items in a field named `list`, and the cursor of the next page. */
export const pageOf = <Item extends t.Mixed>(list: string, item: Item, name: string) =>
  Object.assign(t.type({ [list]: t.readonlyArray(item), next_cursor: nullable(t.string) }, name), {
    list,
    encodeItem: encoderOf<t.TypeOf<Item>>(item),
  });

export type Page<Item extends t.Mixed> = ReturnType<typeof pageOf<Item>>;
