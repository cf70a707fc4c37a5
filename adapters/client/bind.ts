import { type OperationId, operations } from '../runtime/operations.js';
import { type Call, callOf } from './call.js';
import { type Api, lists, withoutInput } from './interface.js';
import { Pager } from './pager.js';
import type { Asked, CallOptions, Query } from './request.js';
import type { Transport } from './transport.js';

const isObject = (value: unknown): value is Query & CallOptions => typeof value === 'object' && value !== null;

/** Reads the arguments of a method: path parameters in order, then the body or the query, then options. */
const requestedOf = (operation: OperationId, given: ReadonlyArray<unknown>): Asked => {
  const parameters = operations[operation].split('{').length - 1;
  const path = given.slice(0, parameters).map((id) => (typeof id === 'number' || typeof id === 'string' ? id : ''));
  const rest = given.slice(parameters);
  const [input, options] = withoutInput.has(operation) ? [undefined, rest[0]] : rest;
  const takesQuery = operations[operation].startsWith('GET ');
  return {
    operation,
    path,
    query: takesQuery && isObject(input) ? input : {},
    body: takesQuery ? undefined : input,
    options: isObject(options) ? options : {},
  };
};

const methodOf =
  (transport: Transport, operation: OperationId) =>
  (...given: unknown[]): Call<unknown> | Pager<unknown> => {
    const asked = requestedOf(operation, given);
    const list = lists[operation];
    if (list === undefined) return callOf(transport.answered(asked));
    const { cursor } = asked.query;
    return new Pager((next) => transport.page(list, asked, next), typeof cursor === 'string' ? cursor : null);
  };

type Namespace = Readonly<Record<string, (...given: unknown[]) => unknown>>;

const isApi = (made: Readonly<Record<string, Namespace>>): made is Readonly<Record<string, Namespace>> & Api =>
  Object.keys(operations).every((id) => made[id.split('.')[0] ?? '']?.[id.split('.')[1] ?? ''] !== undefined);

/** All operations as methods, under the names in their ids. */
export const apiOf = (transport: Transport): Api => {
  const made: Record<string, Record<string, Namespace[string]>> = {};
  for (const operation of Object.keys(operations).filter((id): id is OperationId => id in operations)) {
    const [namespace = '', name = ''] = operation.split('.');
    (made[namespace] ??= {})[name] = methodOf(transport, operation);
  }
  if (!isApi(made)) throw new Error('an operation has no method');
  return made;
};
