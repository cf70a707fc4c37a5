import { readFileSync } from 'node:fs';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import * as t from 'io-ts';
import { inPackage } from '../../runtime/package-files.js';
import type { RefusalTag } from '../endpoint.js';
import { type HttpError, unexpected } from '../refusals/refusal.js';
import type { Schema } from '../codecs/values.js';
import type { DocumentPart } from './schema.js';

interface NamedError extends HttpError {
  readonly refusal: string;
  readonly name: string;
}

const statusDescriptions: Readonly<Record<number, string>> = {
  400: 'The request is invalid.',
  401: 'The API key is missing or invalid, or lacks permission.',
  402: 'The account has not enough credit.',
  404: 'Something that the path or body refers to does not exist.',
  409: 'The request conflicts with the current state.',
  410: 'The record was erased.',
  412: 'The revision of the record differs from `If-Match`.',
  413: 'The body, or the resulting change, is too large.',
  415: 'The `Content-Encoding` of the body is not supported.',
  422: 'The body does not match its schema, or the record is not ready.',
  429: 'The account has too many requests in progress: retry after the time in `Retry-After`.',
  500: 'Internal error of the service.',
  502: 'The name model returned no usable answer; nothing was charged.',
  503: 'Temporarily unavailable: retry after the time in `Retry-After`.',
};

const facts: Readonly<Record<string, Schema>> = {
  code: { type: 'string', pattern: '^[A-Za-z_]+$', maxLength: 64, description: 'Error code, for programs.' },
  message: { type: 'string', minLength: 1, description: 'Error message, for people.' },
  retryable: { type: 'boolean', description: 'Whether a retry of the same request may succeed.' },
  retry_after_seconds: { type: 'number', minimum: 0, description: 'Seconds to wait before a retry.' },
  reason: {
    type: 'string',
    pattern: '^[a-z_]+$',
    maxLength: 64,
    description: 'Of `insufficient_credits`: what the account lacks, `balance` or `window`.',
  },
  permission: { enum: ['MEDIA_WRITE', 'WORKER'], description: 'The permission that the key lacks.' },
};

const places: Schema = {
  type: 'array',
  maxItems: 1_000,
  description: 'The errors: one for each wrong place in the body (at most 20) or each refused tag.',
  items: {
    type: 'object',
    properties: {
      path: {
        type: 'string',
        maxLength: 1_000,
        description: 'The place in the body, for example `mappings[0].face_id`.',
      },
      key: { type: 'string', maxLength: 1_000, description: 'The key of the tag.' },
      reason: { type: 'string', pattern: '^[a-z_]+$', description: 'Why the tag was refused, for programs.' },
      message: { type: 'string', minLength: 1, description: 'What is wrong.' },
    },
    required: ['message'],
  },
};

const errorOf = (properties: typeof facts, description: string): Schema => ({
  type: 'object',
  description,
  properties: {
    detail: {
      type: ['string', 'object'],
      minLength: 1,
      description: 'A text, or an object with a code and a message.',
      properties,
      required: ['code', 'message'],
      additionalProperties: true,
    },
  },
  required: ['detail'],
});

/** Schemas of error bodies. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  ErrorAnswer: errorOf(facts, 'An error: either a text, or an object with a code, a message and further fields.'),
  BodyErrorAnswer: errorOf({ ...facts, errors: places }, 'An error, with the places in the body that are wrong.'),
};

const RecordedRefusal = t.intersection([
  t.type({
    refusal: t.string,
    status: t.number,
    detail: t.union([t.string, t.intersection([t.type({ code: t.string, message: t.string }), t.UnknownRecord])]),
  }),
  t.partial({ headers: t.record(t.string, t.string) }),
]);
type RecordedRefusal = t.TypeOf<typeof RecordedRefusal>;

/** Answers to examples of each refusal, one for each code that it can have. */
export const recordedRefusals = (): ReadonlyArray<RecordedRefusal> =>
  readFileSync(inPackage('adapters/http/description/recorded-refusals.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
    .filter(RecordedRefusal.is);

/** The recorded answers to some refusals, and to a request whose handling threw, with their names in the document. */
const named = (
  recorded: ReadonlyArray<RecordedRefusal>,
  tags: ReadonlyArray<RefusalTag>,
): ReadonlyArray<NamedError> => [
  ...tags.flatMap((tag) =>
    recorded
      .filter(({ refusal }) => refusal === tag)
      // The code, or the tag of a refusal that has no code.
      .map((error) => ({ ...error, name: typeof error.detail === 'string' ? tag : error.detail.code })),
  ),
  { refusal: 'Unexpected', name: 'internal_error', ...unexpected },
];

/** An example of each error, by name, for the components of the document. */
export const errorExamples = (
  recorded: ReadonlyArray<RecordedRefusal>,
  tags: ReadonlyArray<RefusalTag>,
): DocumentPart =>
  Object.fromEntries(
    named(recorded, tags).map(({ name, refusal, detail }) => [name, { summary: refusal, value: { detail } }]),
  );

/** The error responses of an operation by status, each with its possible codes and examples. */
export const errorResponses = (
  recorded: ReadonlyArray<RecordedRefusal>,
  tags: ReadonlyArray<RefusalTag>,
): DocumentPart => {
  const byStatus = groupBy(({ status }: NamedError) => String(status))([...named(recorded, tags)]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, errors]) => {
      const names = [...new Set(errors.map(({ name }) => name))];
      const codes = errors.map(({ detail }) => (typeof detail === 'string' ? null : detail.code));
      const hasPlaces = errors.some(({ detail }) => typeof detail !== 'string' && 'errors' in detail);
      const own = errors.flatMap(({ headers = {} }) => Object.keys(headers));
      const headers = ['X-Request-Id', 'X-Event-Position', 'X-Ignored-Parameters', ...new Set(own)];
      return [
        status,
        {
          description: statusDescriptions[Number(status)] ?? 'The request is refused.',
          headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
          'x-codes': [...new Set(codes)],
          content: {
            'application/json': {
              schema: { $ref: `#/components/schemas/${hasPlaces ? 'Body' : ''}ErrorAnswer` },
              examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
            },
          },
        },
      ];
    }),
  );
};
