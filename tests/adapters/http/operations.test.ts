import { expect } from 'chai';
import { operations } from '../../../adapters/runtime/operations.js';
import { endpointTable } from '../../fuzz/endpoint-table.js';

/** Served to everybody, without a key: they are no endpoints of the table. */
const open = ['service.health', 'service.readiness', 'sessions.health'];

describe('operations', () => {
  it('are what the service serves, each once', async () => {
    const served = (await endpointTable()).map(({ operation }) => operation);
    expect([...served, ...open].sort()).to.deep.equal(Object.keys(operations).sort());
  });

  it('have a method and path each that no other has', () =>
    expect(new Set(Object.values(operations)).size).to.equal(Object.keys(operations).length));
});
