import { expect } from 'chai';
import { operations } from '../../../adapters/runtime/operations.js';
import { endpointTable } from '../../fuzz/endpoint-table.js';

/** Served without an API key, outside the table of endpoints. */
const open = ['service.health', 'service.readiness', 'sessions.health'];

describe('operations', () => {
  it('are exactly those that the service serves', async () => {
    const served = (await endpointTable()).map(({ operation }) => operation);
    expect([...served, ...open].sort()).to.deep.equal(Object.keys(operations).sort());
  });

  it('have unique methods and paths', () =>
    expect(new Set(Object.values(operations)).size).to.equal(Object.keys(operations).length));
});
