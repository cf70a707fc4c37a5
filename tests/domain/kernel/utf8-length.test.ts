import { expect } from 'chai';
import * as fc from 'fast-check';
import { utf8Length } from '../../../domain/kernel/recorded-event.js';

describe('the length of a text in UTF-8', () => {
  it('is that of its bytes', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Length(text)).to.equal(Buffer.byteLength(text));
      }),
    ));
});
