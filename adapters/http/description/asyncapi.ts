import type * as t from 'io-ts';
import { closes } from '../../../application/realtime/close-codes.js';
import { resultsFrames } from '../../../application/realtime/results-frames.js';
import { eventsByCategory, storedType } from '../../../domain/event-catalogue.js';
import { EventMetadata } from '../../../domain/kernel/recorded-event.js';
import { type DocumentPart, type SchemaWriter, schemaWriter } from './schema.js';
import { withOwnTexts } from './fields.js';

const frameTexts: Readonly<Record<keyof typeof resultsFrames, string>> = {
  Ready: 'The socket is open. Results follow once media arrive.',
  Media: 'The media connection was established or lost.',
  VoiceActivity: 'Whether somebody speaks in a time interval, and how loudly.',
  VideoStats: 'How much video arrived in a time interval.',
  UsageFrame: 'The credits charged so far, and the balance.',
  Warning: 'The credits last for less than a minute.',
  ErrorFrame: 'Why the session ends. The socket is closed after this frame.',
};

const summaries: ReadonlyMap<string, string> = new Map(Object.entries(frameTexts));

/** Codes of the WebSocket protocol, with which faulty messages are answered. No reason is sent with them. */
const protocolCloses = [1002, 1007, 1009].map((code) => [code, ''] as const);

const sentence = (type: string): string =>
  type
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase());

const message = (name: string, title: string, parts: DocumentPart): readonly [string, DocumentPart] => [
  name,
  { name, title: sentence(title), contentType: 'application/json', ...parts },
];

const frames = (write: SchemaWriter): DocumentPart =>
  Object.fromEntries(
    Object.entries(resultsFrames).map(([name, codec]: readonly [string, t.Mixed]) =>
      message(name, name, { payload: write.of(codec), summary: summaries.get(name) }),
    ),
  );

const events = (write: SchemaWriter, recorded: ReadonlyMap<string, unknown>): DocumentPart =>
  Object.fromEntries(
    Object.values(eventsByCategory).flatMap((codecs) =>
      Object.entries(codecs).map(([type, codec]: readonly [string, t.Mixed]) => {
        const example = recorded.get(storedType(type));
        return message(storedType(type), type, {
          headers: write.of(EventMetadata),
          payload: withOwnTexts(type, write.of(codec)),
          ...(example === undefined ? {} : { examples: [{ name: 'recorded', payload: example }] }),
          summary: sentence(type),
        });
      }),
    ),
  );

const refs = (at: string, names: ReadonlyArray<string>): Readonly<Record<string, DocumentPart>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `${at}/${name}` }]));

const streamChannels = (): Readonly<Record<string, DocumentPart>> =>
  Object.fromEntries(
    Object.entries(eventsByCategory).map(([category, codecs]) => [
      category,
      {
        address: `${category}-{id}`,
        title: `Events of ${category}`,
        description: `The streams ${category}-…. The events of a stream are ordered and never change.`,
        parameters: { id: { description: 'The id of the record.' } },
        servers: [{ $ref: '#/servers/log' }],
        messages: refs('#/components/messages', Object.keys(codecs).map(storedType)),
      },
    ]),
  );

const operationsOf = (channels: ReadonlyArray<string>): Readonly<Record<string, DocumentPart>> =>
  Object.fromEntries(
    channels.map((channel) => [
      `send.${channel}`,
      { action: 'send', channel: { $ref: `#/channels/${channel}` }, summary: `Messages of the channel ${channel}.` },
    ]),
  );

const description = `The results socket of a realtime session, and the events of the log.

To open a results socket, send the token of the session as \`Authorization: Bearer\`, as \`token\` in the query, or as the
subprotocol \`bearer.<token>\` (for browsers). Events can be read over HTTP (the \`history\` of a record, \`/v1/audit/events\`),
and with any EventStoreDB client if the service exposes its log. The payload of a message is the data of the event.`;

/** The AsyncAPI document. `recorded` has an example of each event, by its stored type. */
export const asyncApiDocument = (version: string, recorded: ReadonlyMap<string, unknown>): DocumentPart => {
  const write = schemaWriter();
  const [sent, logged] = [frames(write), events(write, recorded)];
  const channels: Readonly<Record<string, DocumentPart>> = {
    results: {
      address: '/v2/realtime/results',
      title: 'Results of a realtime session',
      description: 'One socket per session. Clients send nothing.',
      servers: [{ $ref: '#/servers/http' }],
      bindings: {
        ws: {
          method: 'GET',
          query: {
            type: 'object',
            properties: {
              session_id: { type: 'string', description: 'The id of the session.' },
              token: { type: 'string', description: 'The token of the session, for clients that cannot send headers.' },
            },
            required: ['session_id'],
          },
        },
      },
      'x-close-codes': [...Object.values(closes), ...protocolCloses].map(([code, reason]) => ({ code, reason })),
      messages: refs('#/components/messages', Object.keys(sent)),
    },
    ...streamChannels(),
  };
  return {
    asyncapi: '3.1.0',
    info: { title: 'Media analysis: results and events', version, description },
    defaultContentType: 'application/json',
    servers: {
      http: { host: 'localhost:8080', protocol: 'ws', description: 'The service that served this document.' },
      log: { host: 'localhost:2113', protocol: 'esdb', description: 'The event log, for EventStoreDB clients.' },
    },
    channels,
    operations: operationsOf(Object.keys(channels)),
    components: { messages: { ...sent, ...logged }, schemas: write.named() },
  };
};
