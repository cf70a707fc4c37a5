import { recordedExamples } from '../../../adapters/http/description/openapi.js';
import { operations } from '../../../adapters/runtime/operations.js';

/** An operation, and its path with some ids. */
export interface Endpoint {
  readonly operation: string;
  readonly method: string;
  readonly template: string;
  readonly path: string;
}

/** Every operation at the path with these ids; others are `none`. */
export const endpointsAt = (ids: Readonly<Record<string, string>>): ReadonlyArray<Endpoint> =>
  Object.entries(operations).map(([operation, place]) => {
    const [method = '', template = ''] = place.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'none'));
    return { operation, method, template, path };
  });

/** Those with a request body, with the valid body of the recorded example. */
export const bodiedEndpoints = (
  ids: Readonly<Record<string, string>>,
): ReadonlyArray<Endpoint & { readonly body: unknown }> => {
  const examples: ReadonlyMap<string, { readonly request?: unknown }> = recordedExamples();
  return endpointsAt(ids).flatMap((endpoint) => {
    const body = examples.get(endpoint.operation)?.request;
    return body === undefined ? [] : [{ ...endpoint, body }];
  });
};
