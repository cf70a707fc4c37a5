// A step of the set-up: writes the types and the operations of the client from the endpoints and their codecs.
import { writeFileSync } from 'node:fs';
import type * as t from 'io-ts';
import { resultsFrames } from '../../application/realtime/results-frames.js';
import { inPackage } from '../runtime/package-files.js';
import { type Schema, isPage } from '../http/codecs/values.js';
import type { Endpoint } from '../http/endpoint.js';
import { endpoints } from '../http/endpoints.js';
import { openEndpoints } from '../http/open-endpoints.js';
import { parametersOfPath } from '../http/description/openapi.js';
import { schemaWriter } from '../http/description/schema.js';

const { of, named } = schemaWriter();
const frames = schemaWriter();
Object.values(resultsFrames).forEach((frame: t.Mixed) => frames.of(frame));

const comment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll(/\s+/g, ' ')} */\n`;
const union = (types: ReadonlyArray<string>): string =>
  types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');

const fieldsOf = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    // A field that was removed: the service refuses it.
    .filter(([, { not }]) => not === undefined || Object.keys(not).length > 0)
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
  object: 'JsonObject',
};

const typeNamed = (type: string, schema: Schema): string => {
  if (type === 'array') return `ReadonlyArray<${schema.items === undefined ? 'unknown' : typeOf(schema.items)}>`;
  const plain = plainTypes[type];
  if (plain === undefined) throw new Error(`a schema has the type ${type}`);
  return plain;
};

const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
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

type Operation = Pick<
  Endpoint,
  'operation' | 'method' | 'template' | 'summary' | 'query' | 'answer' | 'body' | 'bodyOptional'
>;

const operations: ReadonlyArray<Operation> = [
  ...openEndpoints.map((endpoint) => ({ ...endpoint, query: [], body: null, bodyOptional: false })),
  ...endpoints,
];

const queryType = ({ query }: Operation): string =>
  `{ ${query.map(({ name, schema }) => `readonly ${name}?: ${typeOf(schema)} | undefined;`).join(' ')} }`;

/** The body, or the query if there is none. The query of an operation with a body is part of its options. */
const inputOf = (operation: Operation): ReadonlyArray<string> => {
  const { body, bodyOptional, query } = operation;
  if (body === null) return query.length === 0 ? [] : [`query?: ${queryType(operation)}`];
  const takesDocument = query.some(({ name }) => name === 'format');
  return [`body${bodyOptional ? '?' : ''}: ${typeOf(of(body))}${takesDocument ? ' | string' : ''}`];
};

const method = (operation: Operation): string => {
  const { operation: id, method, template, summary, query, body, answer } = operation;
  const parameters = [
    ...parametersOfPath(template).map(({ name, schema }) => `${name}: ${typeOf(schema)}`),
    ...inputOf(operation),
    `options?: CallOptions${body === null || query.length === 0 ? '' : ` & { readonly query?: ${queryType(operation)} }`}`,
  ];
  const answered = isPage(answer) ? `Pager<${typeOf(of(answer.item))}>` : `Call<${typeOf(of(answer))}>`;
  const about = `/** ${summary}: \`${method.toUpperCase()} ${template}\` */`;
  return `${about}\n${id.split('.')[1] ?? id}(${parameters.join(', ')}): ${answered};`;
};

const methodsOf = (namespace: string): string => {
  const own = operations.filter(({ operation }) => operation.startsWith(`${namespace}.`));
  return `readonly ${namespace}: {\n${own.map(method).join('\n')}\n};`;
};
const api = [...new Set(operations.map(({ operation }) => operation.split('.')[0] ?? ''))].sort().map(methodsOf);
const lists = operations.flatMap(({ operation, answer }) =>
  isPage(answer) ? [`'${operation}': '${answer.list}',`] : [],
);
const withoutInput = operations.filter(({ body, query }) => body === null && query.length === 0);

const printed = `// Written by the set-up from the endpoints of the service.
import type { OperationId } from '../runtime/operations.js';
import type { Call } from './call.js';
import type { Pager } from './pager.js';
import type { CallOptions } from './request.js';

export type JsonObject = { readonly [field: string]: unknown };

${Object.entries(named())
  .map(([name, schema]) => declared(name, schema))
  .join('\n\n')}

/** A message of the results socket of a realtime session. */
export type ResultsFrame = ${union(Object.values(frames.named()).map(typeOf))};

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
${withoutInput.map(({ operation }) => `'${operation}',`).join('\n')}
]);
`;

writeFileSync(inPackage('adapters/client/interface.ts'), printed);
