import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import type { JsonObject } from '../../../domain/kernel/json.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { silentLog } from '../../support/event-store/silent-log.js';

/*
 * The least that a durable PUT over HTTP can be: node's server, the body parsed, one event appended through the adapter, an
 * answer. Nothing is looked up, checked, decided, sealed or projected.
 */

const { store, close } = openEventStoreDb(addressOf(process.argv[2] ?? ''), silentLog);
const run = randomUUID();
const parse: (text: string) => JsonObject = JSON.parse;

/** For each path, the revision before its next event, and the earlier appends. */
const streams = new Map<string, { revision: number; last: Promise<void> }>();

const append = async (path: string, data: JsonObject): Promise<string | null> => {
  const stream = streams.get(path) ?? { revision: -1, last: Promise.resolve() };
  streams.set(path, stream);
  const event = { id: randomUUID(), type: 'Changed.v1', data, metadata: { recorded_at: new Date().toISOString() } };
  const before = stream.last;
  const appended = before.then(() =>
    store.append(`${run}-${path}`, stream.revision < 0 ? 'no_stream' : stream.revision, [event])(),
  );
  stream.last = appended.then((answer) => {
    if (E.isRight(answer)) stream.revision = answer.right.revision;
  });
  const answer = await appended;
  return E.isRight(answer) ? answer.right.position : null;
};

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method !== 'PUT') return void response.end();
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  const position = await append(request.url ?? '', parse(text));
  response.statusCode = position === null ? 503 : 200;
  if (position !== null) response.setHeader('X-Event-Position', position);
  response.setHeader('Content-Type', 'application/json');
  // The same length as the service's answer.
  response.end(JSON.stringify({ status: 'completed', message: 'Speaker-face matching completed successfully' }));
};

createServer((request, response) => void serve(request, response)).listen(
  Number(process.env['PORT'] ?? 8080),
  '127.0.0.1',
);
process.once('SIGTERM', () => void close().then(() => process.exit(0)));
