import { expect } from 'chai';
import { inSources } from '../support/reporter.js';

describe('the report of a failure', () => {
  it('names places in the sources, not in what was compiled of them', () => {
    const { stack = '' } = new Error('as it is thrown');
    expect(inSources(stack).split('\n')[1]).to.include('tests/house/reporter.test.ts:6:');
  });

  it('leaves as they are: places without a source, and what is no place', () => {
    const text = 'Error: 12:30:15\n    at one (node:internal/timers:483:21)\n    at /nowhere/at/all.js:3:7';
    expect(inSources(text)).to.equal(text);
  });
});
