import type { OperationId } from '../../runtime/operations.js';
import type { Endpoint } from '../endpoint.js';
import { openEndpoints } from '../open-endpoints.js';
import { errorExamples, errorSchemas } from './error-answers.js';
import { type DescribedOperation, type RecordedExample, describeEndpoint, describeOpenEndpoint } from './operation.js';
import { schemaWriter } from './schema.js';
import type { Schema } from '../codecs/described.js';

const text: Schema = { type: 'string' };

const parameters: Readonly<Record<string, Schema>> = {
  'X-Min-Position': {
    name: 'X-Min-Position',
    in: 'header',
    description:
      'The `X-Event-Position` of a write: the answer includes at least that write, or is 503 after 2 seconds.',
    schema: text,
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record. If the record has another revision, the request is refused and nothing is written.',
    schema: text,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of an earlier answer, or several: if it is still the current one, the answer is 304 without a body. `*` matches every record.',
    schema: text,
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique text for each intended change, at most 255 characters. Repeating the request with the same key within 24 hours returns the first answer and writes nothing.',
    schema: { ...text, minLength: 1, maxLength: 255 },
  },
};

const header = (description: string): Schema => ({ description, schema: text });

const headers: Readonly<Record<string, Schema>> = {
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

const securitySchemes: Readonly<Record<string, Schema>> = {
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
  recorded: ReadonlyMap<OperationId, RecordedExample>,
): Schema => {
  const write = schemaWriter();
  const paths: Record<string, Record<string, Schema>> = {};
  const add = ({ path, method, operation }: DescribedOperation): void => {
    paths[path] = { ...paths[path], [method]: operation };
  };
  for (const endpoint of openEndpoints) add(describeOpenEndpoint(endpoint, write, recorded.get(endpoint.operation)));
  for (const endpoint of endpoints) add(describeEndpoint(endpoint, write, recorded.get(endpoint.operation)));
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
      examples: errorExamples(new Set(endpoints.flatMap(({ refuses }) => refuses))),
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
