import { inspect } from 'node:util';
import { type ClientOptions, MediaAnalysis } from '../client/index.js';

/** Requests to a service and its answers, printed for people. */
export interface Conversation {
  readonly title: (text: string) => void;
  readonly tell: (line: string) => void;
  /** Prints each request with its answer. */
  readonly shown: MediaAnalysis;
  /** Prints nothing. */
  readonly quiet: MediaAnalysis;
}

const mostLines = 20;
const mostOfText = 200;
/** Text indented by four fits on a terminal of 80 columns. */
const width = 74;
const indent = (text: string): string => text.replaceAll(/^/gm, '    ');

const whole = { depth: null, maxArrayLength: null, breakLength: width, compact: 4 };

const readable = (json: string, full: boolean): string => {
  const value: unknown = JSON.parse(json);
  if (full) return inspect(value, { ...whole, maxStringLength: null });
  const lines = inspect(value, { ...whole, maxStringLength: mostOfText }).split('\n');
  const left = lines.length - mostLines;
  return left <= 1 ? lines.join('\n') : [...lines.slice(0, mostLines), `… ${left} more lines`].join('\n');
};

/** `fetch` that prints requests and answers. */
const printing =
  (print: (line: string) => void, full: boolean): NonNullable<ClientOptions['fetch']> =>
  async (url, init) => {
    const response = await fetch(url, init);
    const { status, headers } = response;
    const body = await response.text();
    const { pathname, search } = new URL(url);
    const position = headers.get('X-Event-Position');
    print(`  ${init.method} ${pathname}${search}`);
    if (init.body !== undefined && init.body !== '{}') print(indent(readable(init.body, full)));
    print(`  → ${status}${position === null ? '' : `, event position ${position}`}`);
    print(indent(readable(body, full)));
    return { status, headers, text: async () => body };
  };

/** Calls a service with a key and prints the requests and answers. */
export const conversation = (
  baseUrl: string,
  apiKey: string,
  print: (line: string) => void,
  full: boolean,
): Conversation => ({
  title: (text) => print(`\n${text}`),
  tell: (line) => print(`  ${line}`),
  shown: new MediaAnalysis({ baseUrl, apiKey, fetch: printing(print, full) }),
  quiet: new MediaAnalysis({ baseUrl, apiKey }),
});
