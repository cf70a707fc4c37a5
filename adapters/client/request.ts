import { type OperationId, operations } from '../runtime/operations.js';
import type { Prepared } from './send.js';

/** The options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For each attempt, in milliseconds. */
  readonly timeoutMs?: number;
  /** If absent, the client generates a key for each write. */
  readonly idempotencyKey?: string;
  /** The required revision of the record (`response.revision` of a read). Otherwise the write is refused with 412. */
  readonly ifMatch?: number | string;
  /** Query parameters of an operation that takes a body. */
  readonly query?: Query;
}

export type QueryValue = string | number | boolean | null | undefined | ReadonlyArray<string | number>;
export type Query = Readonly<Record<string, QueryValue>>;

/** The operation and arguments of a call. */
export interface Asked {
  readonly operation: OperationId;
  readonly path: ReadonlyArray<string | number>;
  readonly query: Query;
  /** Undefined if there is no body. */
  readonly body: unknown;
  readonly options: CallOptions;
}

/** The settings and state of the client that a request depends on. */
export interface RequestSettings {
  readonly baseUrl: string;
  /** The header that authenticates each request. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The newest event position that this client has written; null if it has written nothing. */
  readonly position: string | null;
}

const searchOf = (query: Query): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
};

const pathOf = (template: string, values: Asked['path']): string => {
  const left = [...values];
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.shift();
    // An empty segment, or one of dots, would refer to another resource.
    if (value === undefined || /^\.{0,2}$/.test(String(value))) throw new TypeError(`${name} must be an id`);
    return encodeURIComponent(value);
  });
};

const idempotencyKey = (): string =>
  // `randomUUID` exists only in secure contexts, which pages of a service in a local network often are not.
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The request of a call. Throws a TypeError if a path parameter is not an id. */
export const prepared = ({ operation, path, query, body, options }: Asked, settings: RequestSettings): Prepared => {
  const [method = '', template = ''] = operations[operation].split(' ');
  const { ifMatch } = options;
  const reads = method === 'GET';
  return {
    method,
    url: `${settings.baseUrl}${pathOf(template, path)}${searchOf({ ...options.query, ...query })}`,
    // A string is sent unchanged: JSON, or a provider document. No operation takes a JSON string as its body.
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      ...settings.credentials,
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(reads ? {} : { 'Idempotency-Key': options.idempotencyKey ?? idempotencyKey() }),
      ...(reads && settings.position !== null ? { 'X-Min-Position': settings.position } : {}),
      ...(ifMatch === undefined ? {} : { 'If-Match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
    },
  };
};
