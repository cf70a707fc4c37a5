import { expect } from 'chai';
import { clientHas } from '../../../adapters/http/answer.js';

const known: ReadonlyArray<readonly [condition: string, etag: string | null]> = [
  ['"7"', '"7"'],
  ['"1", "7"', '"7"'],
  ['"1","7" , "9"', '"7"'],
  ['W/"7"', '"7"'],
  ['"7"', 'W/"7"'],
  ['W/"1", W/"7"', 'W/"7"'],
  ['"a,b"', '"a,b"'],
  ['""', '""'],
  ['*', '"7"'],
  [' * ', '"7"'],
  ['*', null],
];

const unknown: ReadonlyArray<readonly [condition: string | undefined, etag: string | null]> = [
  [undefined, '"7"'],
  ['', '"7"'],
  ['"1"', '"7"'],
  ['"77"', '"7"'],
  ['7', '"7"'],
  ['"7', '"7"'],
  ['"1" "*"', '"7"'],
  ['"a', '"a,b"'],
  ['"7"', null],
];

describe('If-None-Match', () => {
  for (const [condition, etag] of known)
    it(`${condition} is a record with the ETag ${etag}`, () => expect(clientHas(condition, etag)).to.equal(true));

  for (const [condition, etag] of unknown)
    it(`${condition} is no record with the ETag ${etag}`, () => expect(clientHas(condition, etag)).to.equal(false));
});
