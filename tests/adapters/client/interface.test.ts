import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Document, printedInterface } from '../../support/client/print-interface.js';
import { bodyOf } from '../../support/http-client.js';
import { startWorld } from '../../support/world.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const path = 'adapters/client/interface.ts';

const formatted = (text: string): string =>
  execFileSync(join(root, 'node_modules/.bin/oxfmt'), ['--stdin-filepath', path], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });

const answering = (schema: object) => ({ 200: { content: { 'application/json': { schema } } } });
const small: Document = {
  components: {
    schemas: {
      Thing: {
        type: 'object',
        description: 'A thing.',
        properties: {
          id: { type: 'string' },
          size: { type: ['number', 'null'] },
          kind: { enum: ['a', 'b'] },
          gone: { not: {} },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
        },
        required: ['id', 'size'],
      },
      ThingPage: {
        type: 'object',
        properties: {
          things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
          next_cursor: { type: ['string', 'null'] },
        },
        required: ['things', 'next_cursor'],
      },
    },
  },
  paths: {
    '/things': {
      get: {
        operationId: 'things.list',
        summary: 'List things',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: answering({ $ref: '#/components/schemas/ThingPage' }),
      },
    },
    '/things/{id}': {
      delete: {
        operationId: 'things.delete',
        parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }],
        responses: answering({ type: 'object', properties: { ok: { const: true } }, required: ['ok'] }),
      },
    },
  },
};

describe('the interface of the client', function () {
  this.timeout(30_000);

  it('is printed with a method for each operation, and a type for each schema', () => {
    const text = formatted(printedInterface(small));
    expect(text).to.include(
      [
        '/** A thing. */',
        'export interface Thing {',
        '  readonly id: string;',
        '  readonly size: number | null;',
        "  readonly kind?: 'a' | 'b' | undefined;",
        '  readonly parts?: ReadonlyArray<Thing> | undefined;',
        '}',
      ].join('\n'),
    );
    expect(text).to.not.include('ThingPage');
    expect(text).to.include(
      'list(query?: { readonly limit?: number | undefined }, options?: CallOptions): Pager<Thing>;',
    );
    expect(text).to.match(
      /delete\(\s*id: string,\s*options\?: CallOptions,?\s*\): Call<\{\s*readonly ok: true;?\s*\}>;/,
    );
    expect(text)
      .to.include("  'things.list': 'things',\n")
      .and.match(/withoutInput[^]*'things\.delete'/);
  });

  it('is generated from the OpenAPI document (RECORD_CLIENT=1 writes it again)', async function () {
    const world = await startWorld();
    try {
      const answer = await world.anonymous.get('/openapi.json');
      // oxlint-disable-next-line typescript/no-invalid-this
      if (answer.status === 404) return this.skip();
      const text = formatted(printedInterface(bodyOf(Document, answer)));
      if (process.env['RECORD_CLIENT'] === '1') writeFileSync(join(root, path), text);
      expect(readFileSync(join(root, path), 'utf8')).to.equal(text);
    } finally {
      await world.end();
    }
  });
});
