import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { asyncApiDocument } from '../../../adapters/http/description/asyncapi.js';
import { openApiDocument, recordedEvents, recordedExamples } from '../../../adapters/http/description/openapi.js';
import { endpoints } from '../../../adapters/http/endpoints.js';
import { redocly } from '../../support/contract.js';

const Linted = t.type({
  problems: t.readonlyArray(t.type({ ruleId: t.string, severity: t.string, message: t.string })),
});
const Scored = t.type({ agentReadiness: t.number });

describe('OpenAPI and AsyncAPI documents, checked with redocly', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  const [openApi, asyncApi] = [join(folder, 'openapi.json'), join(folder, 'asyncapi.json')];
  before(async () => {
    writeFileSync(openApi, JSON.stringify(openApiDocument(endpoints, '1.0.0', recordedExamples())));
    writeFileSync(asyncApi, JSON.stringify(asyncApiDocument('1.0.0', recordedEvents())));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** The service has no licence yet; a request without key and body cannot be wrong. */
  const openApiMay = ['info-license', 'operation-4xx-response'];
  /** Authentication of the socket and the log is described in words; a description beside a reference is of the field. */
  const asyncApiMay = ['security-defined', 'spec-ref-siblings'];

  for (const [name, file, may] of [
    ['OpenAPI', openApi, openApiMay],
    ['AsyncAPI', asyncApi, asyncApiMay],
  ] as const)
    it(`have no problems: ${name}`, () => {
      const { problems } = redocly(Linted, 'lint', file);
      expect(problems.filter(({ severity, ruleId }) => severity === 'error' || !may.includes(ruleId))).to.deep.equal(
        [],
      );
    });

  it('have a score of at least 90', () => expect(redocly(Scored, 'score', openApi).agentReadiness).to.be.at.least(90));
});
