import { expect } from 'chai';
import { unbookedUse, usedUntil } from '../../domain/realtime-session/step.js';
import { booked, connected, endWanted, heldSession, media, noted, opened, wakes } from '../support/held-session.js';
import { at } from '../support/values.js';

describe('media of a held session that are lost', () => {
  it('are charged without a break when they were only disconnected', () => {
    const again = heldSession([2, connected], [2, noted], [3, media('disconnected')], [3, noted]).when(5, connected);
    expect(again.effects.map(({ type }) => type)).to.deep.equal(['Send', 'RecordMedia']);
    expect(wakes(again.session)).to.equal(12.005);
    expect(unbookedUse(again.session, at(6))).to.include({ unbooked_ms: 4_000 });
  });
  it('are charged up to their failure, and again once a new offer has connected them', () => {
    const open = [
      [1, opened],
      [2, connected],
      [2, noted],
    ] as const;
    const failed = heldSession(...open).when(7.5, media('failed'));
    expect(failed.effects).to.deep.equal([
      { type: 'Send', message: { type: 'media', state: 'failed' } },
      { type: 'RecordMedia', state: 'failed', at: at(7.5) },
      { type: 'Meter' },
    ]);
    expect(wakes(failed.session), 'the negotiation').to.equal(60);
    expect(unbookedUse(failed.session, at(9))).to.equal(null);
    expect(usedUntil(failed.session, at(9))).to.equal(at(7.5));

    const waiting = [...open, [7.5, media('failed')], [7.5, noted], [8, booked(5)]] as const;
    expect(wakes(heldSession(...waiting).session)).to.equal(60);
    expect(heldSession(...waiting).when(9, { type: 'MeteringRequested' }).effects).to.deep.equal([]);
    const back = heldSession(...waiting).when(27.5, connected);
    expect(back.effects).to.deep.equal([
      { type: 'Send', message: { type: 'media', state: 'connected' } },
      { type: 'RecordMedia', state: 'connected', at: at(27.5) },
      { type: 'CheckCredit' },
    ]);
    expect(wakes(back.session)).to.equal(32.005);
    expect(unbookedUse(back.session, at(28))).to.include({ unbooked_ms: 1_000 });
    expect(usedUntil(back.session, at(28))).to.equal(at(28));
  });
  it('that have failed stay failed until they are connected', () => {
    const failed = heldSession([2, connected], [3, media('failed')]);
    expect(failed.when(4, media('disconnected'))).to.deep.equal({ effects: [], session: failed.session });
  });
  it('are not metered at their failure if the session is ending', () => {
    const ending = heldSession([2, connected], [2, noted], [3, endWanted('key_revoked')]).when(4, media('failed'));
    expect(ending.effects.map(({ type }) => type)).to.deep.equal(['Send', 'RecordMedia']);
  });
});
