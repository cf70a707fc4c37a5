import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect } from 'chai';
import { JsonObject } from '../../domain/kernel/recorded-event.js';
import { eventHash } from '../../projections/audit/event-hash.js';
import { shortOrLong } from '../support/long-form.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('video-1', 'FacesMatched.v1', 'a"b', 'a\\b', 'a\n', '\n', 'é', '\ud800', '\u2028', ''),
);
const toObject = (json: unknown): JsonObject => {
  if (JsonObject.is(json)) return json;
  throw new TypeError('no JSON object');
};
const object = fc.dictionary(fc.string(), fc.jsonValue()).map(toObject);

describe("an event's hash", () => {
  it('is SHA-256 of the JSON text that the audit page documents, whatever the names', () =>
    fc.assert(
      fc.property(
        fc.record({ stream: text, revision: fc.nat(), id: text, type: text, data: object, metadata: object }),
        fc.option(fc.stringMatching(/^[0-9a-f]{64}$/)),
        (event, previous) => {
          const { hash: _hash, ...metadata } = event.metadata;
          const { stream, revision, id, type, data } = event;
          const documented = JSON.stringify([stream, revision, id, type, data, metadata, previous]);
          expect(eventHash(event, previous)).to.equal(createHash('sha256').update(documented).digest('hex'));
        },
      ),
      { numRuns: shortOrLong(150, 500) },
    ));
});
