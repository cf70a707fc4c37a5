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

describe('the interface of the client', function () {
  this.timeout(30_000);

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
