import { inPackage } from '../../runtime/package-files.js';
import * as t from 'io-ts';
import { readFileSync } from 'node:fs';
import { type OperationId, operations } from '../../runtime/operations.js';
import type { AnswerHeader, Endpoint, AllowedCaller } from '../endpoint.js';
import type { OpenEndpoint } from '../open-endpoints.js';
import { errorResponses } from './error-answers.js';
import type { SchemaWriter } from './schema.js';
import type { Schema } from '../codecs/described.js';

/** An operation object of the OpenAPI document, with its path and method. */
export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Schema;
}

const natural: Schema = { type: 'integer', minimum: 0 };

const pathParameters: Readonly<Record<string, readonly [description: string, schema?: Schema]>> = {
  video_id: ['The id of the video.'],
  audio_id: ['The id of the audio.'],
  account_id: ['The id of the account.'],
  key_id: ['The id of the API key; this is not the secret key itself.'],
  run_id: ['The id of the match run.'],
  session_id: ['The id of the session.'],
  face_id: ['The id of the face within its video.', natural],
  speaker_id: ['The id of the speaker within its audio.', natural],
  position: ['The position of an event, from `X-Event-Position` or from a history.'],
  key: ['The key of the tag, for example `label.topic`.'],
};

const headerRef = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });
const parameterRef = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` });

const parametersOfPath = (path: string): ReadonlyArray<Schema> =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const [description, schema = { type: 'string' }] = pathParameters[name] ?? [];
    if (description === undefined) throw new Error(`the path parameter ${name} has no description`);
    return { name, in: 'path', required: true, description, schema };
  });

const example = (value: unknown): Schema => (value === undefined ? {} : { examples: { recorded: { value } } });

const body = (schema: Schema, recorded: unknown): Schema => ({
  content: { 'application/json': { schema, ...example(recorded) } },
});

const headersNamed = (names: ReadonlyArray<string>): Schema =>
  Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, headerRef(name)]));

const unchanged = (headers: ReadonlyArray<string>): Schema => ({
  description: 'The client has the current revision, according to `If-None-Match`.',
  headers: headersNamed(headers),
});

const answerOf = (schema: Schema, headers: ReadonlyArray<string>, recorded: unknown): Schema => ({
  description: 'Success.',
  headers: headersNamed(headers),
  ...body(schema, recorded),
});

const securityOf = (access: ReadonlyArray<AllowedCaller>): ReadonlyArray<Schema> => [
  { ApiKey: [] },
  { Bearer: [] },
  ...(access.includes('session_token') ? [{ SessionToken: [] }] : []),
];

const described = (operation: OperationId, path: string, method: string, rest: Schema): DescribedOperation => ({
  path,
  method,
  operation: { operationId: operation, tags: [operation.split('.')[0]], ...rest },
});

const placeOf = (operation: OperationId): readonly [path: string, method: string] => {
  const [method = '', path = ''] = operations[operation].split(' ');
  return [path, method.toLowerCase()];
};

/** The streamed answer, which only one operation has. */
const lines: Schema = { 'application/x-ndjson': { schema: { type: 'string' } } };

const withLines = (operation: OperationId, answer: Schema): Schema =>
  operation === 'audit.events' ? { ...answer, content: { ...Object(answer['content']), ...lines } } : answer;

const headersOf = ({ method, ignoresKey, headers, query }: Endpoint): ReadonlyArray<string> => {
  const own: ReadonlyArray<AnswerHeader> = headers;
  return [
    ...own,
    ...(method === 'get' ? [] : ['X-Event-Position', ...(ignoresKey ? [] : ['Idempotency-Replayed'])]),
    ...(query.length > 0 ? ['X-Ignored-Parameters'] : []),
  ];
};

/** Whether a client that has the current record gets 304. */
const isConditional = ({ method, headers }: Endpoint): boolean =>
  method === 'get' && headers.some((name) => name === 'ETag');

const requestHeaders = (endpoint: Endpoint): ReadonlyArray<string> => {
  const { method, operation } = endpoint;
  if (method === 'get') return ['X-Min-Position', ...(isConditional(endpoint) ? ['If-None-Match'] : [])];
  return ['If-Match', ...(operation === 'names.estimate' ? [] : ['Idempotency-Key'])];
};

const requestOf = (
  { bodyOptional, bodyLimit }: Endpoint,
  codec: t.Mixed,
  write: SchemaWriter,
  recorded: unknown,
): Schema => ({
  requestBody: {
    required: !bodyOptional,
    description: `At most ${(bodyLimit ?? 0) / 1_048_576} MiB${bodyOptional ? '; an empty body is treated as {}' : ''}.`,
    ...body(write.of(codec), recorded),
  },
});

/** Describes an endpoint that requires an API key. */
export const describeEndpoint = (
  endpoint: Endpoint,
  write: SchemaWriter,
  { request, answer }: Partial<RecordedExample> = {},
): DescribedOperation => {
  const { operation, summary, description, access, refuses, query } = endpoint;
  const [path, method] = placeOf(operation);
  return described(operation, path, method, {
    summary,
    description,
    'x-access': access,
    security: securityOf(access),
    parameters: [
      ...parametersOfPath(path),
      ...query.map(({ name, description, schema }) => ({ name, in: 'query', description, schema })),
      ...requestHeaders(endpoint).map(parameterRef),
    ],
    ...(endpoint.body === null ? {} : requestOf(endpoint, endpoint.body, write, request)),
    responses: {
      200: withLines(operation, answerOf(write.of(endpoint.answer), headersOf(endpoint), answer)),
      ...(isConditional(endpoint) ? { 304: unchanged(headersOf(endpoint)) } : {}),
      ...errorResponses(refuses.filter((tag) => tag !== 'BodyCutOff' || endpoint.body !== null)),
    },
  });
};

/** Describes an endpoint that requires no API key. */
export const describeOpenEndpoint = (
  { operation, summary, description, answer, mayFail }: OpenEndpoint,
  write: SchemaWriter,
  recorded: Partial<RecordedExample> = {},
): DescribedOperation => {
  const [path, method] = placeOf(operation);
  const schema = write.of(answer);
  return described(operation, path, method, {
    summary,
    description,
    'x-access': ['anyone'],
    security: [],
    responses: {
      200: answerOf(schema, [], recorded.answer),
      ...(mayFail
        ? { 503: { ...answerOf(schema, ['Retry-After'], undefined), description: 'Temporarily unavailable.' } }
        : {}),
    },
  });
};

/** A request and its answer, recorded by a script from the running service. */
const RecordedExample = t.intersection([t.type({ answer: t.unknown }), t.partial({ request: t.unknown })]);
export type RecordedExample = t.TypeOf<typeof RecordedExample>;

const Recorded = t.type({ operations: t.record(t.string, RecordedExample), events: t.UnknownRecord });

const file = inPackage('adapters/http/description/recorded-examples.json');

const isOperation = (id: string): id is OperationId => id in operations;

const recorded = (): t.TypeOf<typeof Recorded> => {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Recorded.is(parsed)) throw new Error('the file of recorded examples is malformed');
  return parsed;
};

/** Examples of requests and answers, by operation. */
export const recordedExamples = (): ReadonlyMap<OperationId, RecordedExample> =>
  new Map(Object.entries(recorded().operations).flatMap(([id, example]) => (isOperation(id) ? [[id, example]] : [])));

/** An example of the data of each event, by stored type. */
export const recordedEvents = (): ReadonlyMap<string, unknown> => new Map(Object.entries(recorded().events));
