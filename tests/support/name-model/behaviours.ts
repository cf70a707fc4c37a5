import type { ServerResponse } from 'node:http';
import type { Asked } from './asked.js';

/** How a playing model meets one request. */
export type Behaviour = (asked: Asked, response: ServerResponse) => void;

const json = { 'content-type': 'application/json' };

/** A whole completion around a content. */
const completion = (content: string, rest: object = { usage: { total_tokens: 100 } }) => ({
  id: 'completion-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
  ...rest,
});

/** Status 200 with any body. */
export const saysRaw =
  (body: string | Uint8Array): Behaviour =>
  (_, response) => {
    response.writeHead(200, json).end(body);
  };

export const saysBody = (body: unknown): Behaviour => saysRaw(JSON.stringify(body));

/** A good completion with this content, whatever it is. */
export const saysContent = (content: string): Behaviour => saysBody(completion(content));

/** Good: these proposals, at these tokens. */
export const proposes = (speakers: ReadonlyArray<object>, totalTokens = 100): Behaviour =>
  saysBody(completion(JSON.stringify({ speakers }), { usage: { total_tokens: totalTokens } }));

const introduction = /\b(?:I am|I'm|my name is) (?<name>\p{Lu}\p{L}+)/u;

/** Good: proposes whoever says `my name is …` or the like, and tells one token for each utterance that it was asked. */
export const hearsIntroductions: Behaviour = (asked, response) => {
  const speakers = asked.transcript.flatMap(({ speaker_id, text }) => {
    const found = introduction.exec(text);
    return found === null
      ? []
      : [{ speaker_id, name: found.groups?.['name'] ?? '', quote: found[0], pattern: 'self_introduction' }];
  });
  proposes(speakers, asked.transcript.length)(asked, response);
};

/** Answers after so many milliseconds. */
export const slow =
  (milliseconds: number, behaviour: Behaviour = hearsIntroductions): Behaviour =>
  (asked, response) => {
    setTimeout(() => behaviour(asked, response), milliseconds);
  };

/** Takes the request and never answers. */
export const hangs: Behaviour = () => undefined;

/** Begins to answer and never goes on. */
export const hangsInBody: Behaviour = (_, response) => {
  response.writeHead(200, json).write('{"choices":');
};

/** Sends a byte now and then, without an end. */
export const dribbles: Behaviour = (_, response) => {
  response.writeHead(200, json);
  const dribbling = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(dribbling));
};

/** Ends the connection in the middle of the body. */
export const cutsOff: Behaviour = (_, response) => {
  response.writeHead(200, { ...json, 'content-length': 1_000 }).write('{"choices":', () => response.destroy());
};

/** Ends the connection in the middle of the headers. */
export const cutsOffInHeaders: Behaviour = (_, response) => {
  response.socket?.write('HTTP/1.1 200 OK\r\ncontent-t', () => response.destroy());
};

/** Ends the connection before any answer. */
export const resets: Behaviour = (_, response) => {
  response.socket?.resetAndDestroy();
};

/** Closes the connection, politely, before any answer. */
export const hangsUp: Behaviour = (_, response) => {
  response.socket?.end();
};

/** Another status, with a body that repeats what it was asked and with whose key. */
export const answersStatus =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (asked, response) => {
    response.writeHead(status, { ...json, ...headers });
    response.end(JSON.stringify({ error: { message: `${asked.user} ${asked.headers.authorization}` } }));
  };

export const refuses: Behaviour = saysBody({
  choices: [
    { message: { role: 'assistant', content: null, refusal: "I can't help with that." }, finish_reason: 'stop' },
  ],
  usage: { total_tokens: 100 },
});

/** A whole answer that ended for another reason than that it was finished. */
export const endsFor = (finishReason: string): Behaviour =>
  saysBody({
    choices: [{ message: { role: 'assistant', content: '{"speakers":[]}' }, finish_reason: finishReason }],
    usage: { total_tokens: 100 },
  });

/** A good answer without `usage`, or with another one. */
export const bills = (usage?: unknown): Behaviour => saysBody(completion('{"speakers":[]}', { usage }));

/** A good answer behind so many bytes of white space. */
export const saysAtLength = (bytes: number): Behaviour =>
  saysRaw(' '.repeat(bytes) + JSON.stringify(completion('{"speakers":[]}')));

/** A good answer whose whole body has so many bytes: white space comes first. */
export const saysInAll = (bytes: number): Behaviour => {
  const answer = JSON.stringify(completion('{"speakers":[]}'));
  return saysRaw(answer.padStart(bytes));
};

/** Sends as fast as it is read, without an end. */
export const endless: Behaviour = (_, response) => {
  response.writeHead(200, json);
  const chunk = Buffer.alloc(65_536, 0x20);
  const pour = () => {
    while (response.writable && !response.destroyed) if (!response.write(chunk)) return;
  };
  response.on('drain', pour);
  pour();
};
