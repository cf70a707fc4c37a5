import { expect } from 'chai';
import { httpErrorOf } from '../../adapters/http/refusals.js';

describe('an append that the event store takes for too large', () => {
  it('is the fault of the request, which is not to be repeated', () => {
    const { status, detail } = httpErrorOf({
      _tag: 'AppendTooLarge',
      reason: 'Maximum Append Size of 1048576 exceeded',
    });
    expect(status).to.equal(413);
    expect(detail).to.have.property('code', 'payload_too_large');
  });
});
