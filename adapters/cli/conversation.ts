import { inspect } from 'node:util';
import { type ClientOptions, MediaAnalysis } from '../client/index.js';

/** What is said to a service and answered, as a person reads it. */
export interface Conversation {
  readonly title: (text: string) => void;
  readonly tell: (line: string) => void;
  /** Each of its requests is shown, with its answer. */
  readonly shown: MediaAnalysis;
  /** Nothing of its requests is shown. */
  readonly quiet: MediaAnalysis;
}

const mostLines = 20;
const mostOfText = 200;
/** What is indented by four fits on a terminal of 80 columns. */
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

/** `fetch`, which prints what it sends and gets. */
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

/** Speaks to a service with a key, and prints what is said. */
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
