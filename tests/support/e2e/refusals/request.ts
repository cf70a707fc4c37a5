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
  method: string,
  path: string,
  status: number,
  code: string,
  body?: unknown,
  client?: HttpClient,
];

/** The operation of a request. */
const operationOf = (method: string, path: string): string => {
  const isOf = (place: string): boolean =>
    new RegExp(`^${place.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path.split('?')[0]}`);
  return Object.entries(operations).findLast(([, place]) => isOf(place))?.[0] ?? '';
};

/** Makes requests of the lines of the table. */
export const tableOf =
  (owner: HttpClient) =>
  ([method, path, status, code, body, client = owner]: Row): RefusedRequest => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return {
      operation: operationOf(method, path),
      name: `${method} ${path} ${text?.slice(0, 200) ?? ''}`,
      status,
      code,
      send: (headers = {}) => client.raw(method, path, text, headers),
    };
  };

/** No record has these. */
export const unknownIds = [99, -1, 1e300];

export const twice = <Item>(item: Item): readonly [Item, Item] => [item, item];
