import { operations } from '../../../../adapters/runtime/operations.js';
import type { HttpAnswer, HttpClient } from '../../http-client.js';

/** A request that the state of the service refuses. */
export interface RefusedRequest {
  readonly operation: string;
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly send: (headers?: Record<string, string>) => Promise<HttpAnswer>;
}

/** A line of the table: without a client, the owner sends the request. */
export type Row = readonly [
  /** Method and path. */
  request: string,
  /** Status and code. */
  answer: string,
  body?: unknown,
  client?: HttpClient,
];

/** The operation of a request. */
const operationOf = (request: string): string => {
  const isOf = (place: string): boolean =>
    new RegExp(`^${place.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(request.split('?')[0] ?? '');
  return Object.entries(operations).findLast(([, place]) => isOf(place))?.[0] ?? '';
};

/** Makes requests of the lines of the table. */
export const tableOf =
  (owner: HttpClient) =>
  ([request, answer, body, client = owner]: Row): RefusedRequest => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const [method = '', path = ''] = request.split(' ');
    const [status, code = ''] = answer.split(' ');
    return {
      operation: operationOf(request),
      name: `${request} ${text?.slice(0, 200) ?? ''}`,
      status: Number(status),
      code,
      send: (headers = {}) => client.raw(method, path, text, headers),
    };
  };

/** No record has these. */
export const unknownIds = [99, -1, 1e300];

export const twice = <Item>(item: Item): readonly [Item, Item] => [item, item];
