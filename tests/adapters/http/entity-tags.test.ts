import { expect } from 'chai';
import { clientHas } from '../../../adapters/http/answer.js';

describe('If-None-Match', () => {
  it('is met by a record with any of its ETags, compared without W/, and * by every record', () => {
    for (const condition of ['"7"', '"1","7" , "9"', 'W/"1", W/"7"', ' * '])
      for (const etag of ['"7"', 'W/"7"']) expect(clientHas(condition, etag), condition).to.equal(true);
    expect(clientHas('"a,b"', '"a,b"')).to.equal(true);
    expect(clientHas('*', null)).to.equal(true);
  });

  it('is not met by any other', () => {
    for (const condition of [undefined, '', '"1"', '"77"', '7', '"7', '"1" "*"'])
      expect(clientHas(condition, '"7"'), condition).to.equal(false);
    expect(clientHas('"a', '"a,b"')).to.equal(false);
    expect(clientHas('"7"', null)).to.equal(false);
  });
});
