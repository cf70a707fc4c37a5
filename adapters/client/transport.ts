import { type Fetch, send } from './send.js';
import type { Answered } from './call.js';
import { MalformedAnswerError } from './errors.js';
import type { Page } from './pager.js';
import { type Asked, prepared } from './request.js';
import type { WebSocketConstructor } from './results.js';

/** A key of an account, or the token of a realtime session, with which a page calls the session's own endpoints. */
type Credentials =
  | { readonly apiKey: string; readonly token?: undefined }
  | { readonly token: string; readonly apiKey?: undefined };

export type ClientOptions = Credentials & {
  /** The URL of the service, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** For each attempt of a call, in milliseconds; by default 60,000. */
  readonly timeoutMs?: number;
  /** The number of retries after transient failures; by default 3. */
  readonly maxRetries?: number;
  readonly fetch?: Fetch;
  /** For platforms without a built-in WebSocket (Node 20), for example that of the package ws. */
  readonly webSocket?: WebSocketConstructor;
};

interface Settings extends Required<Pick<ClientOptions, 'baseUrl' | 'timeoutMs' | 'maxRetries' | 'fetch'>> {
  readonly credentials: Readonly<Record<string, string>>;
  readonly webSocket: WebSocketConstructor | undefined;
}

const settingsOf = (options: ClientOptions): Settings => {
  const { protocol, href } = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : { protocol: '', href: '' };
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`baseUrl must be an http or https address: ${options.baseUrl}`);
  return {
    baseUrl: href.replace(/\/+$/, ''),
    credentials:
      options.token === undefined ? { 'X-API-Key': options.apiKey } : { Authorization: `Bearer ${options.token}` },
    timeoutMs: options.timeoutMs ?? 60_000,
    maxRetries: options.maxRetries ?? 3,
    // Looked up at each call, since a page or a test may replace it. Browsers require it to be called on the window.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    webSocket: options.webSocket ?? ('WebSocket' in globalThis ? globalThis.WebSocket : undefined),
  };
};

const isPage = <Item>(data: unknown, name: string): data is Readonly<Record<string, ReadonlyArray<Item>>> =>
  typeof data === 'object' && data !== null && Array.isArray(Reflect.get(data, name));

/** Sends requests, and remembers the newest position written, which later reads must include. */
export class Transport {
  readonly settings: Settings;
  #position: string | null = null;

  constructor(options: ClientOptions) {
    this.settings = settingsOf(options);
  }

  async answered(asked: Asked): Promise<Answered<object>> {
    const { fetch, timeoutMs, maxRetries, baseUrl, credentials } = this.settings;
    const { signal } = asked.options;
    const request = prepared(asked, { baseUrl, credentials, position: this.#position });
    const policy = { timeoutMs: asked.options.timeoutMs ?? timeoutMs, maxRetries, signal };
    const answered = await send(fetch, request, policy);
    const { position } = answered.response;
    // All positions of a log have the same length, so they can be compared as strings.
    if (position !== null && (this.#position === null || position > this.#position)) this.#position = position;
    return answered;
  }

  /** One page of a list. */
  async page<Item>(name: string, asked: Asked, cursor: string | null): Promise<Page<Item>> {
    const query = cursor === null ? asked.query : { ...asked.query, cursor };
    const { data, response } = await this.answered({ ...asked, query });
    if (!isPage<Item>(data, name))
      throw new MalformedAnswerError(`the answer has no list ${name}`, response.status, response.request_id);
    const next: unknown = Reflect.get(data, 'next_cursor');
    return { items: data[name] ?? [], next_cursor: typeof next === 'string' ? next : null };
  }
}
