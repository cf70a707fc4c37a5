import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import * as t from 'io-ts';
import { Ajv } from 'ajv';
import { openApiDocument, recordedExamples, recordedEvents } from '../../../adapters/http/description/openapi.js';
import { schemaWriter } from '../../../adapters/http/description/schema.js';
import { operations } from '../../../adapters/runtime/operations.js';
import { endpoints } from '../../../adapters/http/endpoints.js';
import { asyncApiDocument } from '../../../adapters/http/description/asyncapi.js';
import { eventTypes, storedType } from '../../../domain/event-catalogue.js';
import { recordedLines } from '../../support/recorded-events.js';

const Response = t.partial({
  'x-codes': t.readonlyArray(t.union([t.string, t.null])),
  headers: t.UnknownRecord,
  content: t.UnknownRecord,
});
const Described = t.intersection([
  t.type({ operationId: t.string, responses: t.record(t.string, Response) }),
  t.partial({ parameters: t.array(t.UnknownRecord) }),
]);
const Paths = t.type({ paths: t.record(t.string, t.record(t.string, Described)) });

const document: unknown = JSON.parse(JSON.stringify(openApiDocument(endpoints, '1.0.0', recordedExamples())));

/** The operations in the document with their methods and paths. */
const described = () =>
  Object.entries(Paths.is(document) ? document.paths : {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ place: `${method.toUpperCase()} ${path}`, ...operation })),
  );

describe('the OpenAPI document', () => {
  it('is valid according to an independent validator', async () => {
    const { valid, errors } = await new Validator().validate(t.UnknownRecord.is(document) ? document : {});
    expect(valid, JSON.stringify(errors)).to.equal(true);
  }).timeout(60_000);

  it('describes every operation with its method and path, and no other', () => {
    const all = described();
    expect(Object.fromEntries(all.map(({ operationId, place }) => [operationId, place]))).to.deep.equal(operations);
    expect(all.length).to.equal(Object.keys(operations).length);
  });

  it('declares 410 where something can be erased, and an internal error wherever a key is needed', () => {
    const all = described();
    const of = new Map(all.map(({ operationId, responses }) => [operationId, responses]));
    const erasable = ['videos.get', 'videos.create', 'audios.create', 'runs.get', 'sessions.offer', 'names.infer'];
    const others = ['me.get', 'audit.events', 'tagRegistry.list', 'videos.history', 'audios.history', 'runs.listAll'];
    for (const operation of erasable) expect(of.get(operation), operation).to.have.property('410');
    for (const operation of others) expect(of.get(operation), operation).to.not.have.property('410');
    const guarded = all.filter(({ responses }) => '401' in responses);
    expect(guarded).to.have.length.above(60);
    expect(
      guarded.filter(({ responses }) => responses['500']?.['x-codes']?.includes('internal_error') !== true),
    ).to.deep.equal([]);
  });

  it('declares If-None-Match and 304 for each read that answers with an ETag, and for no other operation', () => {
    const all = described().map(({ operationId, place, parameters = [], responses }) => ({
      operationId,
      hasTag: place.startsWith('GET') && 'ETag' in (responses['200']?.headers ?? {}),
      takesTag: parameters.some(({ $ref }) => $ref === '#/components/parameters/If-None-Match'),
      unchanged: responses['304'],
    }));
    expect(all.filter(({ hasTag }) => hasTag)).to.have.length.above(4);
    for (const { operationId, hasTag, takesTag, unchanged } of all) {
      expect([takesTag, unchanged !== undefined], operationId).to.deep.equal([hasTag, hasTag]);
      if (unchanged === undefined) continue;
      expect(unchanged.headers, operationId).to.include.keys('ETag', 'X-Request-Id');
      expect(unchanged, operationId).to.not.have.property('content');
    }
  });

  it('has a recorded example of every operation', () =>
    expect([...recordedExamples().keys()].sort()).to.deep.equal(Object.keys(operations).sort()));

  it('has a recorded example of every body', async () => {
    const bodied = endpoints.filter(({ body }) => body !== null).map(({ operation }) => operation);
    expect(bodied.filter((operation) => recordedExamples().get(operation)?.request === undefined)).to.deep.equal([]);
  });
});

describe('JSON Schemas of codecs', () => {
  const { of, named } = schemaWriter();

  it('cannot be made for unknown codecs', () => {
    const odd = new t.Type<string>('Odd', t.string.is, t.string.validate, t.identity);
    expect(() => of(t.type({ odd }))).to.throw('there is no schema for the codec Odd');
    expect(() => of(t.refinement(t.string, (text) => text !== '', 'Odd'))).to.throw('the refinement Odd');
  });

  it('have unique names', () => {
    expect(of(t.type({ a: t.string }, 'Twice'))).to.deep.equal({ $ref: '#/components/schemas/Twice' });
    expect(() => of(t.type({ b: t.string }, 'Twice'))).to.throw('two codecs are named Twice');
    expect(named()).to.have.keys('Twice');
  });
});

const Message = t.intersection([
  t.type({ name: t.string, payload: t.UnknownRecord }),
  t.partial({ examples: t.readonlyArray(t.type({ payload: t.unknown })) }),
]);
const Document = t.type({
  channels: t.record(t.string, t.type({ messages: t.UnknownRecord })),
  components: t.type({ messages: t.record(t.string, Message), schemas: t.record(t.string, t.UnknownRecord) }),
});

const storedTypes = eventTypes.map(storedType);

const asyncApi = (): t.TypeOf<typeof Document> => {
  const made: unknown = JSON.parse(JSON.stringify(asyncApiDocument('1.0.0', recordedEvents())));
  if (!Document.is(made)) throw new Error('the document is malformed');
  return made;
};

const accepts = () => {
  const { components } = asyncApi();
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
    const made = asyncApi();
    expect(isValid(made), JSON.stringify(isValid.errors?.slice(0, 3))).to.equal(true);
    expect(isValid({ ...made, channels: { results: { address: 7 } } })).to.equal(false);
    expect(
      isValid({ ...made, operations: { send: { action: 'shout', channel: { $ref: '#/channels/results' } } } }),
    ).to.equal(false);
  }).timeout(30_000);

  it('lists the close codes of the results socket', () =>
    expect(asyncApi().channels['results'])
      .to.have.property('x-close-codes')
      .that.includes.deep.members([
        { code: 1001, reason: 'Server is shutting down' },
        { code: 1008, reason: 'Missing authentication token' },
        { code: 1008, reason: 'Invalid or expired token' },
        { code: 1008, reason: 'Missing session_id query parameter' },
        { code: 1008, reason: 'Insufficient credits for realtime session' },
        { code: 4404, reason: 'Session not found' },
        { code: 4408, reason: 'Session timed out' },
        { code: 4409, reason: 'Session is not resumable' },
        { code: 4429, reason: 'Session has a results socket already' },
      ]));

  it('has a message with a recorded example for every event type', () => {
    const { messages } = asyncApi().components;
    expect(storedTypes.filter((type) => (messages[type]?.examples ?? []).length === 0)).to.deep.equal([]);
  });

  it('has schemas that accept every recorded event, and reject an invalid one', () => {
    const isAccepted = accepts();
    const current = recordedLines('recorded-events.v1.ndjson').filter(({ type }) => storedTypes.includes(type));
    expect(current.filter(({ type, data }) => !isAccepted(type, data)).map(({ type }) => type)).to.deep.equal([]);
    expect(isAccepted('FaceUnmatched.v1', { at: 7 })).to.equal(false);
  });

  it('refers only to existing messages, and to all of them', () => {
    const { channels, components } = asyncApi();
    const named = Object.values(channels).flatMap(({ messages }) => Object.keys(messages));
    expect([...new Set(named)].sort()).to.deep.equal(Object.keys(components.messages).sort());
  });
});
