import type { Endpoint, AllowedCaller, Place } from '../endpoint.js';
import { type OpenEndpoint, openEndpoints } from '../open-endpoints.js';
import { errorExamples, errorSchemas, errorResponses, recordedRefusals } from './error-answers.js';
import { fieldOf } from './fields.js';
import { type DocumentPart, type SchemaWriter, schemaWriter } from './schema.js';
import type { Schema } from '../codecs/values.js';
import type { ParameterDescription } from '../parameters.js';
import { inPackage } from '../../runtime/package-files.js';
import * as t from 'io-ts';
import { readFileSync } from 'node:fs';

const natural: Schema = { type: 'integer', minimum: 0 };

/** What path parameters are, and their schemas, if that is not what fields of the same name are. */
const pathParameters: Readonly<Record<string, readonly [description: string | null, schema?: Schema]>> = {
  run_id: ['The id of the match run.'],
  session_id: ['The id of the session.'],
  face_id: [null, natural],
  speaker_id: [null, natural],
  position: ['The position of an event, from `X-Event-Position` or from a history.'],
  key: ['The key of the tag, for example `label.topic`.'],
};

const headerRef = (name: string): DocumentPart => ({ $ref: `#/components/headers/${name}` });
const parameterRef = (name: string): DocumentPart => ({ $ref: `#/components/parameters/${name}` });

/** The parameters of a path, as their place in a request says of each. */
export const parametersOfPath = (path: string): ReadonlyArray<ParameterDescription> =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const [own = null, schema = { type: 'string' }] = pathParameters[name] ?? [];
    const { description } = own === null ? fieldOf(name, {}) : { description: own };
    if (description === undefined) throw new Error(`the path parameter ${name} has no description`);
    return { name, description, schema };
  });

const example = (value: unknown): DocumentPart => (value === undefined ? {} : { examples: { recorded: { value } } });

const body = (schema: Schema, recorded: unknown, others: DocumentPart = {}): DocumentPart => ({
  content: { 'application/json': { schema, ...example(recorded) }, ...others },
});

const headersNamed = (names: ReadonlyArray<string>): DocumentPart =>
  Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, headerRef(name)]));

const unchanged = (headers: ReadonlyArray<string>): DocumentPart => ({
  description: 'The client has the current revision, according to `If-None-Match`.',
  headers: headersNamed(headers),
});

const answerOf = (
  schema: Schema,
  headers: ReadonlyArray<string>,
  recorded: unknown,
  others?: DocumentPart,
): DocumentPart => ({
  description: 'Success.',
  headers: headersNamed(headers),
  ...body(schema, recorded, others),
});

const securityOf = (access: ReadonlyArray<AllowedCaller>): ReadonlyArray<DocumentPart> => [
  { ApiKey: [] },
  { Bearer: [] },
  ...(access.includes('session_token') ? [{ SessionToken: [] }] : []),
];

/** The streamed answer, which only one operation has. */
const lines: DocumentPart = { 'application/x-ndjson': { schema: { type: 'string' } } };

const headersOf = ({ method, ignoresKey, headers, query }: Endpoint): ReadonlyArray<string> => [
  ...headers,
  ...(method === 'get' ? [] : ['X-Event-Position', ...(ignoresKey ? [] : ['Idempotency-Replayed'])]),
  ...(query.length > 0 ? ['X-Ignored-Parameters'] : []),
];

/** Whether a client that has the current record gets 304. */
const isConditional = ({ method, headers }: Endpoint): boolean =>
  method === 'get' && headers.some((name) => name === 'ETag');

const requestHeaders = (endpoint: Endpoint): ReadonlyArray<string> =>
  endpoint.method === 'get'
    ? ['X-Min-Position', ...(isConditional(endpoint) ? ['If-None-Match'] : [])]
    : ['If-Match', ...(endpoint.ignoresKey ? [] : ['Idempotency-Key'])];

const requestOf = (
  { bodyOptional, bodyLimit }: Endpoint,
  codec: t.Mixed,
  write: SchemaWriter,
  recorded: unknown,
): DocumentPart => ({
  requestBody: {
    required: !bodyOptional,
    description: `At most ${(bodyLimit ?? 0) / 1_048_576} MiB${bodyOptional ? '; an empty body is treated as {}' : ''}.`,
    ...body(write.of(codec), recorded),
  },
});

/** Describes an endpoint that requires an API key. */
const describeEndpoint = (
  endpoint: Endpoint,
  write: SchemaWriter,
  refusals: ReturnType<typeof recordedRefusals>,
  { request, answer }: Partial<RecordedExample> = {},
): DocumentPart => {
  const { operation, template, access, refuses, query } = endpoint;
  return {
    'x-access': access,
    security: securityOf(access),
    parameters: [
      ...parametersOfPath(template).map((about) => ({ ...about, in: 'path', required: true })),
      ...query.map((about) => ({ ...about, in: 'query' })),
      ...requestHeaders(endpoint).map(parameterRef),
    ],
    ...(endpoint.body === null ? {} : requestOf(endpoint, endpoint.body, write, request)),
    responses: {
      200: answerOf(write.of(endpoint.answer), headersOf(endpoint), answer, operation === 'audit.events' ? lines : {}),
      ...(isConditional(endpoint) ? { 304: unchanged(headersOf(endpoint)) } : {}),
      ...errorResponses(refusals, refuses),
    },
  };
};

/** Describes an endpoint that requires no API key. */
const describeOpenEndpoint = (
  { answer, mayFail }: OpenEndpoint,
  write: SchemaWriter,
  recorded: Partial<RecordedExample> = {},
): DocumentPart => {
  const schema = write.of(answer);
  const failure = { ...answerOf(schema, ['Retry-After'], undefined), description: 'Temporarily unavailable.' };
  return {
    'x-access': ['anyone'],
    security: [],
    responses: { 200: answerOf(schema, [], recorded.answer), ...(mayFail ? { 503: failure } : {}) },
  };
};

/** A request and its answer, recorded by a script from the running service. */
const RecordedExample = t.intersection([t.type({ answer: t.unknown }), t.partial({ request: t.unknown })]);
type RecordedExample = t.TypeOf<typeof RecordedExample>;

const Recorded = t.type({ operations: t.record(t.string, RecordedExample), events: t.UnknownRecord });

const recorded = (): t.TypeOf<typeof Recorded> => {
  const parsed: unknown = JSON.parse(
    readFileSync(inPackage('adapters/http/description/recorded-examples.json'), 'utf8'),
  );
  if (!Recorded.is(parsed)) throw new Error('the file of recorded examples is malformed');
  return parsed;
};

/** Examples of requests and answers, by operation. */
export const recordedExamples = (): ReadonlyMap<string, RecordedExample> =>
  new Map(Object.entries(recorded().operations));

/** An example of the data of each event, by stored type. */
export const recordedEvents = (): ReadonlyMap<string, unknown> => new Map(Object.entries(recorded().events));

const header = (description: string, constraints: Schema = {}): DocumentPart => ({
  description,
  schema: { type: 'string', ...constraints },
});

/** Headers of requests. */
const requestHeaderParts: Readonly<Record<string, DocumentPart>> = {
  'X-Min-Position': header(
    'The `X-Event-Position` of a write: the answer includes at least that write, or is 503 after 2 seconds.',
  ),
  'If-Match': header(
    'The `ETag` of the record. If the record has another revision, the request is refused and nothing is written.',
  ),
  'If-None-Match': header(
    'The `ETag` of an earlier answer, or several: if it is still the current one, the answer is 304 without a body. `*` matches every record.',
  ),
  'Idempotency-Key': header(
    'A unique text for each intended change, at most 255 characters. Repeating the request with the same key within 24 hours returns the first answer and writes nothing.',
    { minLength: 1, maxLength: 255 },
  ),
};

const parameters: DocumentPart = Object.fromEntries(
  Object.entries(requestHeaderParts).map(([name, about]) => [name, { ...about, name, in: 'header' }]),
);

const headers: Readonly<Record<string, DocumentPart>> = {
  'X-Request-Id': header(
    'The id of the request: the `X-Request-Id` that was sent if it is valid (1 to 128 characters of A-Za-z0-9._:/+=@-), otherwise a generated one.',
  ),
  'X-Event-Position': header(
    'The position of the last event of the change that the request made. If it changed nothing, of an event about its idempotency key; absent if it wrote none.',
  ),
  'X-Ignored-Parameters': header('Query parameters that the operation does not know, separated by commas.'),
  'X-Run-Id': header('The id of the inference run.'),
  'X-Model': header('The name of the model.'),
  'X-Refusal-Reason': header(
    'Why the call was not admitted: `zero_balance`, `negative_balance`, `window_used_up`, `held` or `max_credits`, the first that applies in this order.',
  ),
  'Idempotency-Replayed': header(
    '`true` if this is the stored answer of an earlier request with the same idempotency key.',
  ),
  ETag: header('The revision of the record, in double quotes.'),
  'WWW-Authenticate': header('Always `Bearer realm="media-analysis"`.'),
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer', minimum: 1 } },
};

const securitySchemes: Readonly<Record<string, DocumentPart>> = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  Bearer: { type: 'http', scheme: 'bearer', description: 'An API key as a bearer token.' },
  SessionToken: { type: 'http', scheme: 'bearer', description: 'The token of the realtime session in the path.' },
};

const description = `Matches the faces found by video analysis with the speakers found by audio analysis.

Bodies are JSON with snake_case fields; timestamps are RFC 3339 in UTC; media times are in seconds. Success is always 200. The
body of an error is \`{"detail": …}\`, where \`detail\` is a text, or an object with a code, a message and further fields.
\`x-access\` lists who may call an operation (admin keys may call all), \`x-codes\` the codes that an error may have.`;

/** The OpenAPI document of these endpoints. */
export const openApiDocument = (
  endpoints: ReadonlyArray<Endpoint>,
  version: string,
  examples: ReadonlyMap<string, RecordedExample>,
): DocumentPart => {
  const write = schemaWriter();
  const refusals = recordedRefusals();
  const paths: Record<string, Record<string, DocumentPart>> = {};
  const add = (
    { operation, template, method, summary, description }: Pick<Endpoint, keyof Place | 'summary' | 'description'>,
    rest: DocumentPart,
  ): void => {
    const described = { operationId: operation, tags: [operation.split('.')[0]], summary, description, ...rest };
    paths[template] = { ...paths[template], [method]: described };
  };
  for (const one of openEndpoints) add(one, describeOpenEndpoint(one, write, examples.get(one.operation)));
  for (const one of endpoints) add(one, describeEndpoint(one, write, refusals, examples.get(one.operation)));
  return {
    openapi: '3.1.1',
    info: { title: 'Media analysis', version, description },
    servers: [{ url: '/', description: 'The service that served this document.' }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: Object.entries(resources).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      schemas: { ...write.named(), ...errorSchemas },
      parameters,
      headers,
      examples: errorExamples(refusals, [...new Set(endpoints.flatMap(({ refuses }) => refuses))]),
      securitySchemes,
    },
  };
};

/** The tags of the OpenAPI document: the part of an operation id before its dot. */
export const resources: Readonly<Record<string, string>> = {
  videos: 'Videos and the faces found in them.',
  faces: 'Names and personality data of the faces of a video.',
  audios: 'Audios, the speakers found in them, and transcripts.',
  speakers: 'Names and roles of the speakers of an audio.',
  matches: 'Matches of faces and speakers, suggested or committed.',
  decisions: 'Decisions of people about matches; later runs respect them.',
  review: 'Questions for people to review, most useful first.',
  runs: 'Match runs and their outcome.',
  names: 'Inference of names and roles of speakers from a transcript.',
  tags: 'Tags of videos.',
  tagRegistry: 'The registered tag keys, their types, and who may write them.',
  sessions: 'Realtime sessions: media over WebRTC, results over a WebSocket.',
  accounts: 'Accounts, which own media, API keys and credits.',
  keys: 'API keys of accounts.',
  me: 'The calling key and its account.',
  credits: 'Balance, spending window, ledger and usage of an account.',
  audit: 'The event log.',
  service: 'Health and readiness of the service.',
};
