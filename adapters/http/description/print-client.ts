// A step of the set-up: writes the types and the operations of the client from the service's OpenAPI document.
import { writeFileSync } from 'node:fs';
import { isLeft } from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { resultsFrames } from '../../../application/realtime/results-frames.js';
import { inPackage, packageVersion } from '../../runtime/package-files.js';
import { endpoints } from '../endpoints.js';
import { openApiDocument } from './openapi.js';
import { schemaWriter } from './schema.js';

/** The part of JSON Schema that the service's codecs use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | ReadonlyArray<string>;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: ReadonlyArray<string>;
  readonly items?: Schema;
  readonly anyOf?: ReadonlyArray<Schema>;
  readonly oneOf?: ReadonlyArray<Schema>;
  readonly enum?: ReadonlyArray<unknown>;
  readonly const?: unknown;
  readonly not?: unknown;
}

const Schema: t.Type<Schema> = t.recursion('Schema', () =>
  t.partial({
    $ref: t.string,
    type: t.union([t.string, t.readonlyArray(t.string)]),
    description: t.string,
    properties: t.record(t.string, Schema),
    required: t.readonlyArray(t.string),
    items: Schema,
    anyOf: t.readonlyArray(Schema),
    oneOf: t.readonlyArray(Schema),
    enum: t.readonlyArray(t.unknown),
    const: t.unknown,
    not: t.unknown,
  }),
);

const Json = t.partial({ 'application/json': t.type({ schema: Schema }) });
const Parameter = t.partial({ name: t.string, in: t.string, description: t.string, schema: Schema });
const Operation = t.intersection([
  t.type({ operationId: t.string, responses: t.type({ 200: t.type({ content: Json }) }) }),
  t.partial({
    summary: t.string,
    parameters: t.readonlyArray(Parameter),
    requestBody: t.intersection([t.type({ content: Json }), t.partial({ required: t.boolean })]),
  }),
]);
type Operation = t.TypeOf<typeof Operation>;

/** The parts of the OpenAPI document from which the types of the client are printed. */
const Document = t.type({
  paths: t.record(t.string, t.record(t.string, Operation)),
  components: t.type({ schemas: t.record(t.string, Schema) }),
});
type Document = t.TypeOf<typeof Document>;

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? '';
const comment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll(/\s+/g, ' ')} */\n`;
const union = (types: ReadonlyArray<string>): string =>
  types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');

const fieldsOf = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    // A field that was removed: the service refuses it.
    .filter(([, { not }]) => JSON.stringify(not) !== '{}')
    .map(([name, schema]) => {
      const type = typeOf(schema);
      if (required.includes(name)) return `${comment(schema.description)}readonly ${name}: ${type};`;
      return `${comment(schema.description)}readonly ${name}?: ${union([type, 'undefined'])};`;
    })
    .join('\n');

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const typeNamed = (type: string, schema: Schema): string => {
  if (type === 'array') return `ReadonlyArray<${schema.items === undefined ? 'unknown' : typeOf(schema.items)}>`;
  if (type === 'object') return schema.properties === undefined ? 'JsonObject' : `{\n${fieldsOf(schema)}\n}`;
  const plain = plainTypes[type];
  if (plain === undefined) throw new Error(`a schema has the type ${type}`);
  return plain;
};

const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.properties !== undefined) {
    const isNullable = Array.isArray(schema.type) && schema.type.includes('null');
    return `{\n${fieldsOf(schema)}\n}${isNullable ? ' | null' : ''}`;
  }
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return union(several.map(typeOf));
  if (schema.type === undefined) return 'unknown';
  return union([schema.type].flat().map((type) => typeNamed(type, schema)));
};

const declared = (name: string, schema: Schema): string => {
  const isInterface = schema.properties !== undefined && schema.type === 'object' && schema.anyOf === undefined;
  return isInterface
    ? `${comment(schema.description)}export interface ${name} {\n${fieldsOf(schema)}\n}`
    : `${comment(schema.description)}export type ${name} = ${typeOf(schema)};`;
};

interface Described {
  readonly id: string;
  readonly place: string;
  readonly operation: Operation;
  readonly queries: ReadonlyArray<t.TypeOf<typeof Parameter>>;
  readonly body: Schema | undefined;
  /** The name of the list in a paged answer; null if the answer is not paged. */
  readonly list: { readonly name: string; readonly item: Schema } | null;
}

const listOf = (document: Document, answer: Schema): Described['list'] => {
  const { properties = {} } =
    answer.$ref === undefined ? answer : (document.components.schemas[nameOf(answer.$ref)] ?? {});
  if (properties['next_cursor'] === undefined) return null;
  const [found] = Object.entries(properties).filter(([, { type }]) => type === 'array');
  return found?.[1].items === undefined ? null : { name: found[0], item: found[1].items };
};

const describedIn = (document: Document): ReadonlyArray<Described> =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      place: `${method.toUpperCase()} ${path}`,
      operation,
      queries: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query'),
      body: operation.requestBody?.content['application/json']?.schema,
      list: listOf(document, operation.responses[200].content['application/json']?.schema ?? {}),
    })),
  );

const queryType = (queries: Described['queries']): string =>
  `{ ${queries.map(({ name = '', schema = {} }) => `readonly ${name}?: ${typeOf(schema)} | undefined;`).join(' ')} }`;

/** The query parameters of an operation with a body are part of its options. */
const optionsType = ({ body, queries }: Described): string =>
  body === undefined || queries.length === 0
    ? 'CallOptions'
    : `CallOptions & { readonly query?: ${queryType(queries)} }`;

const method = (described: Described): string => {
  const { id, place, operation, queries, body, list } = described;
  const path = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const ids = path.map(({ name = '', schema = {} }) => `${name}: ${typeOf(schema)}`);
  const takesDocument = queries.some(({ name }) => name === 'format');
  const input =
    body !== undefined
      ? [
          `body${operation.requestBody?.required === true ? '' : '?'}: ${typeOf(body)}${takesDocument ? ' | string' : ''}`,
        ]
      : queries.length > 0
        ? [`query?: ${queryType(queries)}`]
        : [];
  const answer = operation.responses[200].content['application/json']?.schema ?? {};
  const answered = list === null ? `Call<${typeOf(answer)}>` : `Pager<${typeOf(list.item)}>`;
  const parameters = [...ids, ...input, `options?: ${optionsType(described)}`].join(', ');
  return `/** ${operation.summary ?? id}: \`${place}\` */\n${id.split('.')[1] ?? id}(${parameters}): ${answered};`;
};

const errors = new Set(['ErrorAnswer', 'BodyErrorAnswer']);

const printed = (document: Document, frames: ReadonlyArray<Schema>): string => {
  const all = describedIn(document);
  const pages = new Set(
    all.flatMap(({ list, operation: { responses } }) => {
      const ref = responses[200].content['application/json']?.schema.$ref;
      return list === null || ref === undefined ? [] : [nameOf(ref)];
    }),
  );
  const types = Object.entries(document.components.schemas).filter(([name]) => !errors.has(name) && !pages.has(name));
  const namespaces = [...new Set(all.map(({ id }) => id.split('.')[0] ?? ''))].sort();
  const api = namespaces.map((namespace) => {
    const own = all.filter(({ id }) => id.startsWith(`${namespace}.`)).map(method);
    return `readonly ${namespace}: {\n${own.join('\n')}\n};`;
  });
  const lists = all.flatMap(({ id, list }) => (list === null ? [] : [`'${id}': '${list.name}',`]));
  const without = all.flatMap(({ id, body, queries }) =>
    body === undefined && queries.length === 0 ? [`'${id}',`] : [],
  );
  return `// Written by the set-up from the service's OpenAPI document.
import type { OperationId } from '../runtime/operations.js';
import type { Call } from './call.js';
import type { Pager } from './pager.js';
import type { CallOptions } from './request.js';

export type JsonObject = { readonly [field: string]: unknown };

${types.map(([name, schema]) => declared(name, schema)).join('\n\n')}

/** A message of the results socket of a realtime session. */
export type ResultsFrame = ${union(frames.map(typeOf))};

/** The operations of the service by their ids. */
export interface Api {
${api.join('\n')}
}

/** Operations with paged answers, with the name of the list. */
export const lists: Partial<Record<OperationId, string>> = {
${lists.join('\n')}
};

/** Operations with neither a body nor a query. */
export const withoutInput: ReadonlySet<OperationId> = new Set<OperationId>([
${without.join('\n')}
]);
`;
};

const write = schemaWriter();
Object.values(resultsFrames).forEach((frame: t.Mixed) => write.of(frame));
const document = Document.decode(openApiDocument(endpoints, packageVersion(), new Map()));
const frames = t.record(t.string, Schema).decode(write.named());
if (isLeft(document) || isLeft(frames))
  throw new Error('the OpenAPI document has parts that the types of a client cannot have');
writeFileSync(inPackage('adapters/client/interface.ts'), printed(document.right, Object.values(frames.right)));
