import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as t from 'io-ts';
import { noteExample, notesExamples } from '../record-examples.js';
import { openApiDocument } from '../../../adapters/http/description/openapi.js';
import { endpoints } from '../../../adapters/http/endpoints.js';
import { parsedJson } from '../../../adapters/runtime/json.js';

const Response = t.partial({
  'x-codes': t.readonlyArray(t.union([t.string, t.null])),
  headers: t.UnknownRecord,
  content: t.record(t.string, t.type({ schema: t.UnknownRecord })),
});
const Operation = t.intersection([
  t.type({ operationId: t.string, responses: t.record(t.string, Response) }),
  t.partial({ requestBody: t.type({ content: t.record(t.string, t.type({ schema: t.UnknownRecord })) }) }),
]);
const Document = t.type({
  paths: t.record(t.string, t.record(t.string, Operation)),
  components: t.type({ schemas: t.record(t.string, t.UnknownRecord) }),
});

export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The body that was sent. */
  readonly request_body: string | Uint8Array | undefined;
}

const WithCode = t.type({ detail: t.type({ code: t.string }) });
const codeOf = (body: unknown): string | null => (WithCode.is(body) ? body.detail.code : null);

/** Headers that every answer may have, described or not. */
const usual =
  /^(date|connection|keep-alive|content-.*|transfer-encoding|vary|access-control-.*|x-request-id|etag|cache-control)$/;

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

const rewritten = (schema: unknown, text: string, by: string): Readonly<Record<string, unknown>> => {
  const made: unknown = JSON.parse(JSON.stringify(schema).replaceAll(text, by));
  return t.UnknownRecord.is(made) ? made : {};
};

/** Whether a request contains only fields of its schema: ignored fields must not appear in an example. */
const isPlain = (
  { components }: t.TypeOf<typeof Document>,
  { requestBody }: t.TypeOf<typeof Operation>,
  request: unknown,
): boolean => {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined || request === undefined) return request === undefined;
  const only = rewritten({ ...schema, components }, '"properties":{', '"additionalProperties":false,"properties":{');
  return new Ajv2020({ strict: false, validateFormats: false }).validate(only, request);
};

/** Looks answers up in the OpenAPI document. */
const lookUp = async () => {
  const made: unknown = JSON.parse(JSON.stringify(openApiDocument(endpoints, '0', new Map())));
  if (!Document.is(made)) throw new Error('the document has another shape');
  // Each schema checks only a few answers, so optimised code is not worth its compilation.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
  ajv.addSchema({ $id: 'document', components: made.components });
  const operations = Object.entries(made.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path: patternOf(path), operation })),
  );
  const compiled = new Map<string, ValidateFunction>();
  const validator = (key: string, schema: unknown): ValidateFunction => {
    const known = compiled.get(key) ?? ajv.compile(rewritten(schema, '"#/components', '"document#/components'));
    compiled.set(key, known);
    return known;
  };
  return ({ method, path, status, headers, body, request_body }: Answered): ReadonlyArray<string> => {
    const [place = ''] = path.split('?');
    const found = operations.find((one) => one.method === method.toLowerCase() && one.path.test(place));
    if (found === undefined) return [];
    const { operationId, responses } = found.operation;
    const response = responses[String(status)];
    if (response === undefined) return [`${operationId} answers ${status}, which is not described`];
    const code = codeOf(body);
    const codes = response['x-codes'];
    if (codes !== undefined && !codes.includes(code)) return [`${operationId} answers ${status} ${code ?? 'text'}`];
    const unknown = [...headers.keys()].filter(
      (name) => !usual.test(name) && !Object.keys(response.headers ?? {}).some((known) => known.toLowerCase() === name),
    );
    if (unknown.length > 0) return [`${operationId} answers ${status} with the headers ${unknown.join(', ')}`];
    if (!(headers.get('content-type') ?? '').startsWith('application/json') || method === 'HEAD') return [];
    const validate = validator(`${operationId} ${status}`, response.content?.['application/json']?.schema);
    if (notesExamples && status === 200) {
      const request = typeof request_body === 'string' ? parsedJson(request_body) : undefined;
      if (isPlain(made, found.operation, request)) noteExample({ operation: operationId, request, answer: body });
    }
    return validate(body)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message }) => `${operationId} ${status} ${instancePath} ${message}`,
        );
  };
};

let look: ReturnType<typeof lookUp> | null = null;

/** The differences between an answer and the OpenAPI document; none for paths that it does not describe. */
export const undescribed = async (answered: Answered): Promise<ReadonlyArray<string>> => {
  look ??= lookUp();
  return (await look)(answered);
};
