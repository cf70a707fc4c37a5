import * as t from 'io-ts';

const partsOf = ({ types }: { readonly types: ReadonlyArray<t.Mixed> }): ReadonlyArray<t.Mixed> => types;
const propsOf = ({ props }: { readonly props: t.Props }): ReadonlyArray<t.Mixed> => Object.values(props);
const innerOf = ({ type }: { readonly type: t.Mixed }): t.Mixed => type;

/** Whether a codec encodes values as they are: io-ts copies those of intersections all the same. */
const leavesAsIs = (codec: t.Mixed): boolean => {
  if (codec.encode === t.identity) return true;
  if (codec instanceof t.IntersectionType || codec instanceof t.UnionType) return partsOf(codec).every(leavesAsIs);
  if (codec instanceof t.InterfaceType || codec instanceof t.PartialType) return propsOf(codec).every(leavesAsIs);
  if (codec instanceof t.ReadonlyArrayType || codec instanceof t.RefinementType) return leavesAsIs(innerOf(codec));
  return false;
};

/** How values are encoded by a codec; `t.identity` where they stay as they are, which costs nothing. */
export const encoderOf = <Value>(codec: t.Type<Value, unknown>): ((value: Value) => unknown) =>
  leavesAsIs(codec) ? t.identity : codec.encode;
