import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Arrived } from '../local-server.js';

const Body = t.type({
  model: t.string,
  temperature: t.number,
  messages: t.readonlyArray(t.type({ role: t.string, content: t.string })),
  response_format: t.type({
    type: t.string,
    json_schema: t.type({ name: t.string, strict: t.boolean, schema: t.UnknownRecord }),
  }),
});
const Line = t.type({ index: t.number, speaker_id: t.number, text: t.string });
const Speaker = t.type({ speaker_id: t.number, name: t.union([t.string, t.null]) });

/** A received request for names, parsed. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: t.TypeOf<typeof Body>;
  readonly system: string;
  readonly user: string;
  readonly transcript: ReadonlyArray<t.TypeOf<typeof Line>>;
  readonly speakers: ReadonlyArray<t.TypeOf<typeof Speaker>>;
}

const decoded = <A>(codec: t.Decoder<unknown, A>, value: unknown): A => {
  const outcome = codec.decode(value);
  if (E.isLeft(outcome)) throw new Error(`no ${codec.name}: ${JSON.stringify(value)}`);
  return outcome.right;
};

/** The records between two delimiter lines. */
const block = <A>(name: string, text: string, codec: t.Decoder<unknown, A>): ReadonlyArray<A> => {
  const lines = text.split('\n');
  const [start, end] = [lines.indexOf(`<${name}>`), lines.indexOf(`</${name}>`)];
  return lines.slice(start + 1, end).map((line) => decoded(codec, JSON.parse(line)));
};

export const readModelRequest = ({ method, url: path, headers, body: text }: Arrived): ModelRequest => {
  const body = decoded(Body, JSON.parse(text));
  const contentOf = (role: string) => body.messages.find((message) => message.role === role)?.content ?? '';
  const user = contentOf('user');
  return {
    method,
    path,
    headers,
    body,
    system: contentOf('system'),
    user,
    transcript: block('transcript', user, Line),
    speakers: block('speakers', user, Speaker),
  };
};

/** How a scripted model handles one request. */
export type Behaviour = (request: ModelRequest, response: ServerResponse) => void;

const json = { 'content-type': 'application/json' };

/** A complete chat completion with this content. */
const completion = (content: string, rest: object = { usage: { total_tokens: 100 } }) => ({
  id: 'completion-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
  ...rest,
});

/** Answers status 200 with any body. */
export const answersRaw =
  (body: string | Uint8Array): Behaviour =>
  (_, response) => {
    response.writeHead(200, json).end(body);
  };

export const answersBody = (body: unknown): Behaviour => answersRaw(JSON.stringify(body));

/** Answers a valid completion with any content. */
export const answersContent = (content: string): Behaviour => answersBody(completion(content));

/** Answers these proposals and this number of tokens. */
export const proposes = (speakers: ReadonlyArray<object>, totalTokens = 100): Behaviour =>
  answersBody(completion(JSON.stringify({ speakers }), { usage: { total_tokens: totalTokens } }));

const introduction = /\b(?:I am|I'm|my name is) (?<name>\p{Lu}\p{L}+)/u;

/** Proposes the speakers who say `my name is …` or similar, and reports one token for each utterance of the request. */
export const findsIntroductions: Behaviour = (request, response) => {
  const speakers = request.transcript.flatMap(({ speaker_id, text }) => {
    const found = introduction.exec(text);
    return found === null
      ? []
      : [{ speaker_id, name: found.groups?.['name'] ?? '', quote: found[0], pattern: 'self_introduction' }];
  });
  proposes(speakers, request.transcript.length)(request, response);
};

/** Answers after this many milliseconds. */
export const slow =
  (milliseconds: number, behaviour: Behaviour = findsIntroductions): Behaviour =>
  (request, response) => {
    setTimeout(() => behaviour(request, response), milliseconds);
  };

/** Accepts the request and never answers. */
export const hangs = (): void => undefined;

/** Sends the beginning of an answer, and nothing more. */
export const hangsInBody = (_: unknown, response: ServerResponse): void => {
  response.writeHead(200, json).write('{"choices":');
};

/** Sends a byte now and then, without end. */
export const sendsSlowly = (_: unknown, response: ServerResponse): void => {
  response.writeHead(200, json);
  const dribbling = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(dribbling));
};

/** Closes the connection in the middle of the body. */
export const cutsOff = (_: unknown, response: ServerResponse): void => {
  response.writeHead(200, { ...json, 'content-length': 1_000 }).write('{"choices":', () => response.destroy());
};

/** Closes the connection in the middle of the headers. */
export const cutsOffInHeaders = (_: unknown, response: ServerResponse): void => {
  response.socket?.write('HTTP/1.1 200 OK\r\ncontent-t', () => response.destroy());
};

/** Resets the connection before any answer. */
export const resets = (_: unknown, response: ServerResponse): void => {
  response.socket?.resetAndDestroy();
};

/** Closes the connection normally before any answer. */
export const hangsUp = (_: unknown, response: ServerResponse): void => {
  response.socket?.end();
};

/** Answers another status, with a body that repeats the request and its key. */
export const answersStatus =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (request, response) => {
    response.writeHead(status, { ...json, ...headers });
    response.end(JSON.stringify({ error: { message: `${request.user} ${request.headers.authorization}` } }));
  };

export const refuses: Behaviour = answersBody({
  choices: [
    { message: { role: 'assistant', content: null, refusal: "I can't help with that." }, finish_reason: 'stop' },
  ],
  usage: { total_tokens: 100 },
});

/** A complete answer with another `finish_reason` than `stop`. */
export const endsFor = (finishReason: string): Behaviour =>
  answersBody({
    choices: [{ message: { role: 'assistant', content: '{"speakers":[]}' }, finish_reason: finishReason }],
    usage: { total_tokens: 100 },
  });

/** A valid answer without `usage`, or with another one. */
export const answersUsage = (usage?: unknown): Behaviour => answersBody(completion('{"speakers":[]}', { usage }));

/** Sends data as fast as the client reads, without end. */
export const endless = (_: unknown, response: ServerResponse): void => {
  response.writeHead(200, json);
  const chunk = Buffer.alloc(65_536, 0x20);
  const write = () => {
    while (response.writable && !response.destroyed) if (!response.write(chunk)) return;
  };
  response.on('drain', write);
  write();
};
