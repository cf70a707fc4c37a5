import type { RefusalTag } from '../declared.js';
import type { HttpError } from '../http-error.js';
import { httpErrorOf } from '../refusals.js';
import { furtherExamples, refusalExamples } from './refusal-examples.js';
import type { Schema } from './json-schema.js';

/** What a refusal with a text alone is called here: it has no code. */
const nameOf = (tag: RefusalTag, { detail }: HttpError): string => (typeof detail === 'string' ? tag : detail.code);

const reasons: Readonly<Record<number, string>> = {
  400: 'The request cannot be carried out as it is.',
  401: 'The key is missing or invalid, or does not permit this.',
  402: 'There is not enough credit.',
  404: 'What the path or the body names does not exist.',
  409: 'The state of things does not permit this.',
  410: 'The record was erased.',
  412: 'The record has another revision than `If-Match` says.',
  413: 'The body, or what it changes, is too large.',
  415: 'The encoding of the body is not supported.',
  422: 'The body has another shape than it must have, or the record is not ready.',
  500: 'Something is wrong with the service.',
  502: 'The name model gave no usable answer; nothing was charged.',
  503: 'Out of service for the moment: to be tried again after the time in `Retry-After`.',
};

const facts: Schema = {
  code: { type: 'string', pattern: '^[A-Za-z_]+$', maxLength: 64, description: 'What is wrong, for programs.' },
  message: { type: 'string', minLength: 1, description: 'What is wrong, where, and what to do.' },
  retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
  retry_after_seconds: { type: 'number', minimum: 0, description: 'After how many seconds to try again.' },
  permission: { enum: ['MEDIA_WRITE', 'WORKER'], description: 'The permission that a key would need.' },
};

const places: Schema = {
  type: 'array',
  maxItems: 1_000,
  description: 'Each place in the body that is wrong (20 at most), or each tag.',
  items: {
    type: 'object',
    properties: {
      path: { type: 'string', maxLength: 1_000, description: 'The place in the body, as `mappings[0].face_id`.' },
      key: { type: 'string', maxLength: 1_000, description: 'The key of the tag.' },
      reason: { type: 'string', pattern: '^[a-z_]+$', description: 'Why the tag is refused, for programs.' },
      message: { type: 'string', minLength: 1, description: 'What is wrong there.' },
    },
    required: ['message'],
  },
};

const errorOf = (properties: Schema, description: string): Schema => ({
  type: 'object',
  description,
  properties: {
    detail: {
      type: ['string', 'object'],
      minLength: 1,
      description: 'A text, or an object with a code.',
      properties,
      required: ['code', 'message'],
      additionalProperties: true,
    },
  },
  required: ['detail'],
});

/** The body of every error: a text, or a code with a message and facts. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  ErrorAnswer: errorOf(facts, 'What is wrong: a text alone, or a code for programs, a message for people, and facts.'),
  BodyErrorAnswer: errorOf({ ...facts, errors: places }, 'What is wrong, and at which places of the body.'),
};

/** What a refusal is answered with: one answer for each code that it can have. */
const errorsOf = (tag: RefusalTag): ReadonlyArray<HttpError> =>
  [refusalExamples[tag], ...(furtherExamples[tag] ?? [])].map((refusal) => httpErrorOf(refusal));

/** An example of each error by its name, for the components of the document. */
export const errorExamples = (tags: Iterable<RefusalTag>): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    [...tags].flatMap((tag) =>
      errorsOf(tag).map((error) => [nameOf(tag, error), { summary: tag, value: { detail: error.detail } }]),
    ),
  );

interface Named {
  readonly name: string;
  readonly code: string | null;
  /** Whether it lists places of the body. */
  readonly lists: boolean;
}

const namedOf = (tag: RefusalTag, error: HttpError): Named => {
  const { detail } = error;
  const isText = typeof detail === 'string';
  return { name: nameOf(tag, error), code: isText ? null : detail.code, lists: !isText && 'errors' in detail };
};

/** The answers to refusals, by status: which codes there may be, each with an example. */
export const errorResponses = (tags: ReadonlyArray<RefusalTag>): Readonly<Record<string, Schema>> => {
  const byStatus = new Map<number, Map<string, Named>>();
  for (const tag of tags)
    for (const error of errorsOf(tag)) {
      const named = namedOf(tag, error);
      const of = byStatus.get(error.status) ?? new Map<string, Named>();
      byStatus.set(error.status, of.set(named.name, named));
    }
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => [
      String(status),
      {
        description: reasons[status] ?? 'The request is refused.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          'X-Event-Position': { $ref: '#/components/headers/X-Event-Position' },
          'X-Ignored-Parameters': { $ref: '#/components/headers/X-Ignored-Parameters' },
          ...(status === 503 ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
        },
        'x-codes': [...new Set([...all.values()].map(({ code }) => code))],
        content: {
          'application/json': {
            schema: {
              $ref: `#/components/schemas/${[...all.values()].some(({ lists }) => lists) ? 'Body' : ''}ErrorAnswer`,
            },
            examples: Object.fromEntries(
              [...all.values()].map(({ name }) => [name, { $ref: `#/components/examples/${name}` }]),
            ),
          },
        },
      },
    ]),
  );
};
