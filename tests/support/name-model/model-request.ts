import type { IncomingHttpHeaders } from 'node:http';
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
