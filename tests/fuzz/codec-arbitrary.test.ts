import { expect } from 'chai';
import * as fc from 'fast-check';
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
});
