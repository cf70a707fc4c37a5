import type { Fetch } from './attempt.js';
import type { Answered } from './call.js';
import { MalformedAnswerError } from './errors.js';
import type { Page } from './pager.js';
import { type Asked, prepared } from './request.js';
import type { WebSocketConstructor } from './results.js';
import { send } from './send.js';
import { told } from './told.js';

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** For each attempt of a call, in milliseconds; 60,000. */
  readonly timeoutMs?: number;
  /** How often a call is repeated after a passing failure; 3. */
  readonly maxRetries?: number;
  readonly fetch?: Fetch;
  /** Where the platform has no WebSocket of its own (Node 20): the one of the package ws, for example. */
  readonly webSocket?: WebSocketConstructor;
}

interface Settings extends Required<Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'timeoutMs' | 'maxRetries' | 'fetch'>> {
  readonly webSocket: WebSocketConstructor | undefined;
}

const platformSocket = (): WebSocketConstructor | undefined =>
  'WebSocket' in globalThis ? globalThis.WebSocket : undefined;

const settingsOf = (options: ClientOptions): Settings => {
  const { protocol, href } = new URL(options.baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('baseUrl must be an http address');
  return {
    baseUrl: href.replace(/\/+$/, ''),
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? 60_000,
    maxRetries: options.maxRetries ?? 3,
    // Looked up at each call, as a page or a test may replace it; and browsers want it called on its window.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    webSocket: options.webSocket ?? platformSocket(),
  };
};

const isPage = <Item>(data: unknown, name: string): data is Readonly<Record<string, ReadonlyArray<Item>>> =>
  typeof data === 'object' && data !== null && Array.isArray(Reflect.get(data, name));

/** Sends what is asked for; remembers the newest position that was written, which later reads are to see. */
export class Transport {
  readonly settings: Settings;
  #position: string | null = null;

  constructor(options: ClientOptions) {
    this.settings = settingsOf(options);
  }

  async answered<Answer>(asked: Asked): Promise<Answered<Answer>> {
    const { fetch, timeoutMs, maxRetries, baseUrl, apiKey } = this.settings;
    const { signal } = asked.options;
    const request = prepared(asked, { baseUrl, apiKey, position: this.#position });
    const patience = { timeoutMs: asked.options.timeoutMs ?? timeoutMs, maxRetries, signal };
    const { data, response } = await send(fetch, request, patience);
    const { position } = response;
    // Positions of one log have one length, so that they can be compared as texts.
    if (position !== null && (this.#position === null || position > this.#position)) this.#position = position;
    if (!told<Answer>().is(data)) throw new MalformedAnswerError('the answer is of another shape', 200);
    return { data, response };
  }

  /** The items of an answer, wherever in the list its cursor stands. */
  async page<Item>(name: string, asked: Asked, cursor: string | null): Promise<Page<Item>> {
    const query = cursor === null ? asked.query : { ...asked.query, cursor };
    const { data, response } = await this.answered({ ...asked, query });
    if (!isPage<Item>(data, name))
      throw new MalformedAnswerError(`the answer has no list ${name}`, response.status, response.request_id);
    const next: unknown = Reflect.get(data, 'next_cursor');
    return { items: data[name] ?? [], next_cursor: typeof next === 'string' ? next : null };
  }
}
