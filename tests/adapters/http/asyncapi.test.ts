import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import * as t from 'io-ts';
import { asyncApiDocument } from '../../../adapters/http/description/asyncapi.js';
import { recordedEvents } from '../../../adapters/http/description/openapi.js';
import { closes } from '../../../application/realtime/close-codes.js';
import { eventTypes, storedType } from '../../../domain/event-catalogue.js';
import { recordedLines } from '../../support/recorded-events.js';

const Message = t.intersection([
  t.type({ name: t.string, payload: t.UnknownRecord }),
  t.partial({ examples: t.readonlyArray(t.type({ payload: t.unknown })) }),
]);
const Document = t.type({
  channels: t.record(t.string, t.type({ messages: t.UnknownRecord })),
  components: t.type({ messages: t.record(t.string, Message), schemas: t.record(t.string, t.UnknownRecord) }),
});

const storedTypes = eventTypes.map(storedType);

const document = (): t.TypeOf<typeof Document> => {
  const made: unknown = JSON.parse(JSON.stringify(asyncApiDocument('1.0.0', recordedEvents())));
  if (!Document.is(made)) throw new Error('the document is malformed');
  return made;
};

const accepts = () => {
  const { components } = document();
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components });
  return (name: string, payload: unknown): boolean =>
    ajv.validate({ $ref: `document#/components/messages/${name}/payload` }, payload);
};

/** The official JSON Schema of AsyncAPI, of the version that the document declares. */
const published = (): object => {
  const file = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.1.0.json');
  const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return t.UnknownRecord.is(schema) ? schema : {};
};

describe('the AsyncAPI document', () => {
  it('is valid according to the official schema of AsyncAPI 3.1, which rejects invalid documents', () => {
    const isValid = new Ajv({ strict: false, validateFormats: false, meta: false }).compile(published());
    const made = document();
    expect(isValid(made), JSON.stringify(isValid.errors?.slice(0, 3))).to.equal(true);
    expect(isValid({ ...made, channels: { results: { address: 7 } } })).to.equal(false);
    expect(
      isValid({ ...made, operations: { send: { action: 'shout', channel: { $ref: '#/channels/results' } } } }),
    ).to.equal(false);
  }).timeout(30_000);

  it('has a message with a recorded example for every event type', () => {
    const { messages } = document().components;
    expect(storedTypes.filter((type) => (messages[type]?.examples ?? []).length === 0)).to.deep.equal([]);
  });

  it('has schemas that accept every recorded event, and reject an invalid one', () => {
    const isAccepted = accepts();
    const current = recordedLines('recorded-events.v1.ndjson').filter(({ type }) => storedTypes.includes(type));
    expect(current.filter(({ type, data }) => !isAccepted(type, data)).map(({ type }) => type)).to.deep.equal([]);
    expect(isAccepted('FaceUnmatched.v1', { at: 7 })).to.equal(false);
  });

  it('refers only to existing messages, and to all of them', () => {
    const { channels, components } = document();
    const named = Object.values(channels).flatMap(({ messages }) => Object.keys(messages));
    expect([...new Set(named)].sort()).to.deep.equal(Object.keys(components.messages).sort());
  });

  it('lists the close codes of the results socket, also those of the protocol', () =>
    expect(document().channels['results']).to.deep.include({
      'x-close-codes': [
        ...Object.values(closes).map(([code, reason]) => ({ code, reason })),
        ...[1002, 1007, 1009].map((code) => ({ code, reason: '' })),
      ],
    }));
});
