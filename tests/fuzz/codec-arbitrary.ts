import * as fc from 'fast-check';
import * as t from 'io-ts';
import { named, text } from './values.js';

const mostItems = 4;

const part = (codec: object, name: string): unknown => Reflect.get(codec, name);

const isCodec = (value: unknown): value is t.Mixed => value instanceof t.Type;

const codecIn = (codec: t.Mixed, name: string): t.Mixed => {
  const inner = part(codec, name);
  if (!isCodec(inner)) throw new Error(`${codec.name} has no codec as its ${name}`);
  return inner;
};

const codecsIn = (codec: t.Mixed, name: string): ReadonlyArray<t.Mixed> => {
  const inner = part(codec, name);
  if (!Array.isArray(inner)) throw new Error(`${codec.name} has no codecs as its ${name}`);
  return inner.filter(isCodec);
};

type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const fieldsOf = (codec: t.Mixed, known: Known): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(
    Object.entries(part(codec, 'props') ?? {}).map(([name, field]: [string, unknown]) => {
      if (!isCodec(field)) throw new Error(`${codec.name}.${name} is no codec`);
      return [name, arbitraryOf(field, known)];
    }),
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The combined fields of all parts. */
const merged = (parts: ReadonlyArray<unknown>): unknown =>
  parts.reduce<unknown>((all, one) => (isRecord(all) && isRecord(one) ? { ...all, ...one } : one), {});

const list = (codec: t.Mixed, item: t.Mixed, known: Known): fc.Arbitrary<unknown> =>
  fc.array(arbitraryOf(item, known), { maxLength: mostItems }).filter((items) => codec.is(items));

/**
 * Values that a codec accepts. It throws for an unknown codec, so that a new one cannot be forgotten:
 * those with a name and a rule are in `known`, for bodies in `values.ts`.
 */
export const arbitraryOf = (codec: t.Mixed, known: Known = named): fc.Arbitrary<unknown> => {
  const values = known[codec.name];
  if (values !== undefined) return values;
  const tag = part(codec, '_tag');
  switch (tag) {
    case 'StringType':
      return text(2_000);
    case 'NumberType':
      return fc.oneof(
        fc.constantFrom(0, 1, 0.5, 60, 3_600),
        fc.integer(),
        fc.nat({ max: 100_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
    case 'BooleanType':
      return fc.boolean();
    case 'NullType':
      return fc.constant(null);
    case 'UndefinedType':
      return fc.constant(undefined);
    case 'LiteralType':
      return fc.constant(part(codec, 'value'));
    case 'KeyofType':
      return fc.constantFrom(...Object.keys(part(codec, 'keys') ?? {}));
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return list(codec, codecIn(codec, 'type'), known);
    case 'InterfaceType':
      return fc.record(fieldsOf(codec, known));
    case 'PartialType':
      return fc.record(fieldsOf(codec, known), { requiredKeys: [] });
    case 'ReadonlyType':
    case 'ExactType':
      return arbitraryOf(codecIn(codec, 'type'), known);
    case 'IntersectionType':
      return fc.tuple(...codecsIn(codec, 'types').map((one) => arbitraryOf(one, known))).map(merged);
    case 'UnionType':
      return fc.oneof(...codecsIn(codec, 'types').map((one) => arbitraryOf(one, known)));
    case 'RefinementType': {
      const values = arbitraryOf(codecIn(codec, 'type'), known);
      /* Random texts and numbers rarely satisfy some rules: those are in `known`. */
      if (!fc.sample(values, 200).some((value) => codec.is(value))) break;
      return values.filter((value) => codec.is(value));
    }
    default:
  }
  throw new Error(`no values are known of the codec ${codec.name} (${String(tag)})`);
};
