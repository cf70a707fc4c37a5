import { inspect } from 'node:util';

export interface ShownAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly position: string | null;
  readonly text: string;
  readonly json: unknown;
}

/** Requests to a service, and each with its answer as a person reads them. */
export interface Transcript {
  readonly title: (text: string) => void;
  readonly tell: (line: string) => void;
  /** Sends a request without showing it. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<ShownAnswer>;
  readonly show: (answer: ShownAnswer, body?: unknown) => void;
  /** Sends a request and shows it with its answer; an answer that is not 200 rejects. */
  readonly request: (method: string, path: string, body?: unknown) => Promise<ShownAnswer>;
}

const mostLines = 20;
const mostOfText = 200;
/** What is indented by four fits on a terminal of 80 columns. */
const width = 74;
const indent = (text: string): string => text.replaceAll(/^/gm, '    ');

const whole = { depth: null, maxArrayLength: null, breakLength: width, compact: 4 };

const readable = (value: unknown, full: boolean): string => {
  if (full) return inspect(value, { ...whole, maxStringLength: null });
  const lines = inspect(value, { ...whole, maxStringLength: mostOfText }).split('\n');
  const left = lines.length - mostLines;
  return left <= 1 ? lines.join('\n') : [...lines.slice(0, mostLines), `… ${left} more lines`].join('\n');
};

/** Speaks to a service with a key, and prints what is said. */
export const conversation = (url: string, key: string, print: (line: string) => void, full: boolean): Transcript => {
  const ask: Transcript['ask'] = async (method, path, body) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: unknown = JSON.parse(text);
    return { method, path, status: response.status, position: response.headers.get('X-Event-Position'), text, json };
  };
  const show = ({ method, path, status, position, json }: ShownAnswer, body: unknown = {}): void => {
    print(`  ${method} ${path}`);
    if (JSON.stringify(body) !== '{}') print(indent(readable(body, full)));
    print(`  → ${status}${position === null ? '' : `, event position ${position}`}`);
    print(indent(readable(json, full)));
  };
  return {
    title: (text) => print(`\n${text}`),
    tell: (line) => print(`  ${line}`),
    ask,
    show,
    request: async (method, path, body) => {
      const answer = await ask(method, path, body);
      show(answer, body);
      if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}`);
      return answer;
    },
  };
};
