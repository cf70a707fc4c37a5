import { type Schema, descriptionOf } from '../codecs/values.js';
import * as t from 'io-ts';
import { fieldOf, withOwnTexts } from './fields.js';

/** Turns codecs into JSON Schemas. Each named codec is written once, to `named`, and referred to elsewhere. */
export interface SchemaWriter {
  /** Throws for an unknown kind of codec, and if two codecs have the same name. */
  readonly of: (codec: t.Mixed) => Schema;
  readonly named: () => Readonly<Record<string, Schema>>;
}

/** A part of a document. */
export type DocumentPart = Readonly<Record<string, unknown>>;

const componentName = /^[A-Z][A-Za-z0-9]*$/;

const isObject = ({ type, properties }: Schema): boolean => type === 'object' && properties !== undefined;

/** The intersection of schemas; objects are merged into one. */
const merged = (parts: ReadonlyArray<Schema>): Schema => {
  if (!parts.every(isObject)) return { allOf: parts };
  const required = parts.flatMap((part) => part.required ?? []);
  return {
    type: 'object',
    properties: Object.fromEntries(parts.flatMap(({ properties = {} }) => Object.entries(properties))),
    ...(required.length === 0 ? {} : { required }),
  };
};

const isNull = ({ type }: Schema): boolean => type === 'null';

const isSimple = (schema: Schema): boolean =>
  typeof schema.type === 'string' &&
  !['const', 'enum', 'properties', 'not', 'description'].some((key) => key in schema);

/** Whether each schema is for another type, and no keyword occurs twice, so that they can be merged into one. */
const areDisjoint = (choices: ReadonlyArray<Schema>): boolean => {
  const keys = choices.flatMap(({ type, ...others }) => [type, ...Object.keys(others)]);
  return choices.every(isSimple) && new Set(keys).size === keys.length;
};

/** The union of schemas: one schema if possible, with null as a further type. */
const union = (all: ReadonlyArray<Schema>): Schema => {
  const texts = new Map(all.map((schema) => [JSON.stringify(schema), schema]));
  const choices = [...texts.values()].filter((schema) => !isNull(schema));
  const [only] = choices;
  const nullable = all.some(isNull);
  if (only === undefined) return { type: 'null' };
  if (choices.length === 1 && !nullable) return only;
  if (choices.length === 1 && typeof only.type === 'string' && !('const' in only))
    return {
      ...only,
      type: [only.type, 'null'],
      ...(only.enum === undefined ? {} : { enum: [...only.enum, null] }),
    };
  if (choices.every((choice) => 'const' in choice && choice.type === 'string') && !nullable)
    return { type: 'string', enum: choices.map((choice) => choice.const) };
  if (areDisjoint(choices))
    return Object.fromEntries([
      ...choices.flatMap((choice) => Object.entries(choice)),
      ['type', [...choices.map(({ type }) => type), ...(nullable ? ['null'] : [])]],
    ]);
  return choices.length === 1
    ? { oneOf: [only, { type: 'null' }] }
    : { anyOf: [...choices, ...(nullable ? [{ type: 'null' }] : [])] };
};

const limitOf = (codec: object): Schema =>
  'most' in codec && typeof codec.most === 'number' ? { maxItems: codec.most } : {};

const keysOf = ({ keys }: { readonly keys: object }): ReadonlyArray<string> => Object.keys(keys);
const codomainOf = ({ codomain }: { readonly codomain: t.Mixed }): t.Mixed => codomain;
const propsOf = ({ props }: { readonly props: t.Props }): t.Props => props;
const partsOf = ({ types }: { readonly types: ReadonlyArray<t.Mixed> }): ReadonlyArray<t.Mixed> => types;
const innerOf = ({ type }: { readonly type: t.Mixed }): t.Mixed => type;

const objectOf = (props: t.Props, schemaOf: (codec: t.Mixed) => Schema, isPartial: boolean): Schema => {
  const required = isPartial ? [] : Object.keys(props).filter((name) => props[name] !== t.unknown);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(props).map(([name, codec]) => [name, fieldOf(name, schemaOf(codec))]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
};

const refined = (codec: t.Mixed, inner: Schema): Schema => {
  const more = descriptionOf(codec);
  if (more === undefined) throw new Error(`there is no schema for the refinement ${codec.name}`);
  return { ...inner, ...more.schema };
};

const primitives = new Map<t.Mixed, Schema>([
  [t.string, { type: 'string' }],
  [t.number, { type: 'number' }],
  [t.boolean, { type: 'boolean' }],
  [t.null, { type: 'null' }],
  [t.unknown, {}],
  [t.UnknownRecord, { type: 'object', additionalProperties: true }],
]);

const literal = (value: unknown): Schema => ({ type: typeof value, const: value });

/** The schema of a codec. `inner` gives the schemas of its parts as references if they are named, `whole` in full. */
const written = (codec: t.Mixed, inner: (part: t.Mixed) => Schema, whole: (part: t.Mixed) => Schema): Schema => {
  const known = primitives.get(codec);
  if (known !== undefined) return known;
  if (codec instanceof t.RefinementType) return refined(codec, whole(innerOf(codec)));
  const own = descriptionOf(codec);
  if (own !== undefined) return own.schema;
  if (codec instanceof t.InterfaceType) return objectOf(propsOf(codec), inner, false);
  if (codec instanceof t.PartialType) return objectOf(propsOf(codec), inner, true);
  if (codec instanceof t.IntersectionType) return merged(partsOf(codec).map(whole));
  if (codec instanceof t.UnionType)
    return union(partsOf(codec).map((part) => ('enum' in whole(part) ? whole(part) : inner(part))));
  if (codec instanceof t.ReadonlyArrayType || codec instanceof t.ArrayType)
    return { type: 'array', items: inner(innerOf(codec)), ...limitOf(codec) };
  if (codec instanceof t.ExactType) return whole(innerOf(codec));
  if (codec instanceof t.KeyofType) return { type: 'string', enum: keysOf(codec) };
  if (codec instanceof t.LiteralType) return literal(codec.value);
  if (codec instanceof t.DictionaryType) return { type: 'object', additionalProperties: inner(codomainOf(codec)) };
  throw new Error(`there is no schema for the codec ${codec.name}`);
};

const isComponent = ({ name }: t.Mixed, schema: Schema): boolean =>
  componentName.test(name) &&
  ('properties' in schema || 'enum' in schema || 'anyOf' in schema || Array.isArray(schema.type));

export const schemaWriter = (): SchemaWriter => {
  const named = new Map<string, { readonly codec: t.Mixed; readonly schema: Schema }>();
  const whole = (codec: t.Mixed): Schema => written(codec, of, whole);
  const of = (codec: t.Mixed): Schema => {
    const schema = named.get(codec.name)?.codec === codec ? null : whole(codec);
    if (schema !== null && !isComponent(codec, schema)) return schema;
    if (schema !== null) {
      if (named.has(codec.name)) throw new Error(`two codecs are named ${codec.name}`);
      const about = components[codec.name];
      named.set(codec.name, {
        codec,
        schema: { ...(about === undefined ? {} : { description: about }), ...withOwnTexts(codec.name, schema) },
      });
    }
    return { $ref: `#/components/schemas/${codec.name}` };
  };
  return {
    of,
    named: () =>
      Object.fromEntries(
        [...named].map(([name, { schema }]) => [name, schema] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  };
};

/** Descriptions of the schemas in the OpenAPI and AsyncAPI documents, by the names of their codecs. */
export const components: Readonly<Record<string, string>> = {
  Actor: 'An API key and its account.',
  AudioRecord: 'An audio with its speakers.',
  EvidencePattern: 'How a quote gives a name: said by the person, to them or about them.',
  Face: 'A face in a video.',
  FaceAttributes: 'The fields of a face that a match changes.',
  IgnoredReason: 'Why a write-back changed nothing.',
  LedgerCategory: 'What the credits were granted or charged for.',
  LinkVerdict: 'Whether the face belongs to the speaker.',
  MatchChannel: 'How a match was found: by equal names, or by co-occurrence of a face and a voice.',
  MatchRun: 'A match run, from its trigger to its result.',
  MediaKind: 'Where the recording comes from.',
  NameInference: 'Whether names can be inferred for an audio, and if not, why.',
  NamedBy: 'Who named the face: an analysis, a person, or the speaker it is matched to.',
  NameReason: 'Why a name was not accepted.',
  ProcessingStatus: 'The status of the analysis of a recording.',
  Question: 'A question for a person: which face belongs to a speaker.',
  QuoteLocation: 'The utterance that contains the quote, and its times.',
  ResultRow: 'The result of an inference for one speaker: a name with its evidence, or the reason why there is none.',
  RoleReason: 'Why a role was not accepted.',
  RunState: 'The state of a match run.',
  SpeakerRole: 'The role of a speaker in a call.',
  StatusOfMedium: 'The status of the analysis of a recording.',
  StatusOfRun: 'The status of the newest match run of a video.',
  SuggestionBlock: 'The result of a suggest run: suggested matches, and the faces and speakers without one.',
  TagCategory: 'The category of a tag, which determines who may write it.',
  TagValue: 'A string, number, boolean or list of strings, as set in the tag registry.',
  TagValueType: 'The type of the values of a tag.',
  UsageTotal: 'The sum of all charges in the time range.',
  VideoRecord: 'A video with its faces.',
  WhoseName: 'Who gave the name of a face, before and after a change.',
  WindowOfSpending: 'The spending limit of a period, and what was spent.',
};
