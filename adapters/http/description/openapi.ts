import type { OperationId } from '../../runtime/operations.js';
import type { Endpoint } from '../endpoint.js';
import { openEndpoints } from '../open-endpoints.js';
import { errorExamples, errorSchemas } from './error-answers.js';
import { describeEndpoint, describeOpenEndpoint } from './operation.js';
import type { RecordedExample } from './recorded-examples.js';
import type { Schema } from './json-schema.js';
import { schemaWriter } from './schema.js';
import { resources } from './resources.js';

const text: Schema = { type: 'string' };

const parameters: Readonly<Record<string, Schema>> = {
  'X-Min-Position': {
    name: 'X-Min-Position',
    in: 'header',
    description: 'The `X-Event-Position` of a write: the answer shows at least that write, or is 503 after 2 seconds.',
    schema: text,
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the record: with another revision the request is refused and nothing is written.',
    schema: text,
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text of at most 255 characters, one for each intended change: within 24 hours a repetition gets the first answer and writes nothing.',
    schema: { ...text, minLength: 1, maxLength: 255 },
  },
};

const header = (description: string): Schema => ({ description, schema: text });

const headers: Readonly<Record<string, Schema>> = {
  'X-Request-Id': header('The id of the request; the one that was sent, if it was a sane one.'),
  'X-Event-Position': header('The position of the last event that the request wrote; absent where it wrote none.'),
  'X-Ignored-Parameters': header('Query parameters that are not known here, separated by commas.'),
  'X-Run-Id': header('The id of the inference.'),
  'X-Model': header('The model that was asked.'),
  'Idempotency-Replayed': header('`true`: this is the answer of an earlier request with the same key.'),
  ETag: header('The revision of the record, in quotation marks.'),
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer', minimum: 1 } },
};

const securitySchemes: Readonly<Record<string, Schema>> = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The key of an account.' },
  Bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
  SessionToken: { type: 'http', scheme: 'bearer', description: 'The token of the session of the path.' },
};

const description = `Joins the faces that video analysis sees with the speakers that audio analysis hears.

Bodies are JSON with snake_case fields, times are RFC 3339 in UTC, media times are seconds. Success is always 200; an error
is \`{"detail": …}\` with a text, or with a code, a message and facts. \`x-access\` says whose keys an operation takes
(an admin's are taken by all), \`x-codes\` which codes an error may have.`;

/** The OpenAPI document of these endpoints. */
export const openApiDocument = (
  endpoints: ReadonlyArray<Endpoint>,
  version: string,
  recorded: ReadonlyMap<OperationId, RecordedExample>,
): Schema => {
  const write = schemaWriter();
  const paths: Record<string, Record<string, Schema>> = {};
  const all = [
    ...openEndpoints.map((endpoint) => describeOpenEndpoint(endpoint, write, recorded.get(endpoint.operation))),
    ...endpoints.map((endpoint) => describeEndpoint(endpoint, write, recorded.get(endpoint.operation))),
  ];
  for (const { path, method, operation } of all) paths[path] = { ...paths[path], [method]: operation };
  return {
    openapi: '3.1.1',
    info: { title: 'Media analysis', version, description },
    servers: [{ url: '/', description: 'The service that gave this document.' }],
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
