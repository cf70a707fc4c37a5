import { expect } from 'chai';
import * as fc from 'fast-check';
import * as t from 'io-ts';
import { arbitraryOf } from './codec-arbitrary.js';
import { endpoints } from '../../adapters/http/endpoints.js';

describe('values made from codecs', () => {
  it('are known for the body of every endpoint, and each is one that the endpoint takes', () => {
    const bodied = endpoints.filter(({ body }) => body !== null);
    expect(bodied).to.have.length.above(20);
    for (const { method, path, body } of bodied) {
      if (body === null) continue;
      for (const value of fc.sample(arbitraryOf(body), 100)) {
        const sent: unknown = JSON.parse(JSON.stringify(value));
        expect(body.decode(sent), `${method} ${path} ${JSON.stringify(value)}`).to.have.property('_tag', 'Right');
      }
    }
  });

  it('are not made up for a codec that has a rule of its own and is not known', () => {
    const even = t.refinement(t.number, (n) => n % 2 === 0, 'Even');
    expect(() => arbitraryOf(t.type({ even }))).to.throw('Even');
    expect(() => arbitraryOf(new t.Type('Odd', t.number.is, t.number.validate, t.identity))).to.throw('Odd');
  });
});
