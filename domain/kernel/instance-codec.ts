import * as t from 'io-ts';

/** A codec for instances of a class. */
export const instanceCodec = <Instance>(
  name: string,
  of: abstract new (...given: never) => Instance,
): t.Type<Instance> => {
  const is = (value: unknown): value is Instance => value instanceof of;
  return new t.Type(
    name,
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  );
};
