import { type OperationId, operations } from '../runtime/operations.js';
import type { Prepared } from './attempt.js';

/** What every call may be given last. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For each attempt, in milliseconds. */
  readonly timeoutMs?: number;
  /** One is made for each write that is given none. */
  readonly idempotencyKey?: string;
  /** The revision that the record must have (`response.revision` of a read), else the write is refused with 412. */
  readonly ifMatch?: number | string;
  /** Query parameters of an operation that takes a body. */
  readonly query?: Query;
}

export type QueryValue = string | number | boolean | null | undefined | ReadonlyArray<string | number>;
export type Query = Readonly<Record<string, QueryValue>>;

/** What a call asks for. */
export interface Asked {
  readonly operation: OperationId;
  readonly path: ReadonlyArray<string | number>;
  readonly query: Query;
  /** Undefined: no body. */
  readonly body: unknown;
  readonly options: CallOptions;
}

/** Who asks, and what was written already. */
export interface Asking {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The newest event position that this client has written; null before the first. */
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
    // An empty segment, or one of dots, would name another resource.
    if (value === undefined || /^\.{0,2}$/.test(String(value))) throw new TypeError(`${name} must be an id`);
    return encodeURIComponent(value);
  });
};

const idempotencyKey = (): string =>
  // randomUUID is there in secure contexts alone, which a page of a service in a local network is not.
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A request as it is sent. Throws a TypeError when an id of the path is none. */
export const prepared = ({ operation, path, query, body, options }: Asked, asking: Asking): Prepared => {
  const [method = '', template = ''] = operations[operation].split(' ');
  const { ifMatch } = options;
  const reads = method === 'GET';
  return {
    method,
    url: `${asking.baseUrl}${pathOf(template, path)}${searchOf({ ...options.query, ...query })}`,
    // A text is a body already: JSON, or the document of a provider. No operation takes a JSON text by itself.
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'X-API-Key': asking.apiKey,
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(reads ? {} : { 'Idempotency-Key': options.idempotencyKey ?? idempotencyKey() }),
      ...(reads && asking.position !== null ? { 'X-Min-Position': asking.position } : {}),
      ...(ifMatch === undefined ? {} : { 'If-Match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
    },
  };
};
