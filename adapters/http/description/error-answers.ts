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

/** The body of every error: a text, or a code with a message and facts. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  ErrorAnswer: {
    type: 'object',
    description: 'What is wrong: a text alone, or a code for programs, a message for people, and facts.',
    properties: {
      detail: {
        type: ['string', 'object'],
        minLength: 1,
        description: 'A text, or an object with a code.',
        properties: {
          code: { type: 'string', pattern: '^[A-Za-z_]+$', description: 'What is wrong, for programs.' },
          message: { type: 'string', minLength: 1, description: 'What is wrong, where, and what to do.' },
          retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
          retry_after_seconds: { type: 'number', minimum: 0, description: 'After how many seconds to try again.' },
          permission: { enum: ['MEDIA_WRITE', 'WORKER'], description: 'The permission that a key would need.' },
          errors: {
            type: 'array',
            maxItems: 1_000,
            description:
              'What is wrong with the body at which `path` (20 places at most), or with which `key` of tags.',
            items: { type: 'object', required: ['message'] },
          },
        },
        required: ['code', 'message'],
        additionalProperties: true,
      },
    },
    required: ['detail'],
  },
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
}

/** The answers to refusals, by status: which codes there may be, each with an example. */
export const errorResponses = (tags: ReadonlyArray<RefusalTag>): Readonly<Record<string, Schema>> => {
  const byStatus = new Map<number, Map<string, Named>>();
  for (const tag of tags)
    for (const error of errorsOf(tag)) {
      const name = nameOf(tag, error);
      const of = byStatus.get(error.status) ?? new Map<string, Named>();
      byStatus.set(
        error.status,
        of.set(name, { name, code: typeof error.detail === 'string' ? null : error.detail.code }),
      );
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
            schema: { $ref: '#/components/schemas/ErrorAnswer' },
            examples: Object.fromEntries(
              [...all.values()].map(({ name }) => [name, { $ref: `#/components/examples/${name}` }]),
            ),
          },
        },
      },
    ]),
  );
};
