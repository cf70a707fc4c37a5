import { recordedExamples } from '../../../adapters/http/description/openapi.js';
import { type OperationId, operations } from '../../../adapters/runtime/operations.js';

/** An operation with a request body, and the valid body of its recorded example. */
export interface BodiedEndpoint {
  readonly operation: OperationId;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Every operation with a request body, at the path with these ids. */
export const bodiedEndpoints = (ids: Readonly<Record<string, string>>): ReadonlyArray<BodiedEndpoint> =>
  [...recordedExamples()].flatMap(([operation, { request: body }]) => {
    const [method = '', template = ''] = operations[operation].split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none');
    return body === undefined ? [] : [{ operation, method, path, body }];
  });
