import { expect } from 'chai';
import { createSession } from '../../application/realtime/create-session.js';
import { issueKey, openAccount, revokeKey } from '../../application/use-cases/access/manage-access.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import { owner, world } from '../support/application/world.js';
import { credits } from '../support/values.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { atRest, manualTimers } from '../support/realtime/manual-timers.js';
import { granted, realtimeProcess } from '../support/realtime/process.js';

const plain = { label: null, admin: false, permissions: [] };

/** A session created by a key of the owner, on an instance whose time the test controls. */
const open = async (expires_in_seconds: number | null) => {
  const log = await openInMemory();
  const timers = manualTimers();
  const process = realtimeProcess(log.store, timers, { price_per_minute: credits('60') });
  const { app, realtime } = process;
  await granted(process, '1000');
  await succeeded(openAccount(app, process.request(), owner.account_id, null));
  const { key_id, expires_at } = await succeeded(
    issueKey(app, process.request(), owner.account_id, { ...plain, expires_in_seconds }),
  );
  const caller = { ...owner, key_id, expires_at, maker_id: key_id };
  const request = { ...process.request(), caller };
  const { session_id } = await succeeded(createSession(realtime, request, {}));
  await process.connect(session_id);
  const stateOf = async () => (await succeeded(app.realtimeSessions.load(session_id))).state;
  return { log, timers, process, key_id, stateOf };
};

describe('a realtime session, by the key that created it', () => {
  it('ends when the key expires, charged until then', async () => {
    const { log, timers, stateOf } = await open(31);
    await timers.pass(30.9);
    expect(await stateOf()).to.include({ _tag: 'Open' });
    await timers.pass(4);
    expect(await stateOf()).to.include({ _tag: 'Ended', reason: 'key_revoked', duration_seconds: 32 });
    await log.close();
  });

  it('ends when the key is revoked on another instance', async () => {
    const { log, timers, process, key_id, stateOf } = await open(null);
    await timers.pass(9);
    const other = world(log.store, 'other');
    const at = secondsAfter(timers.now(), 0);
    await succeeded(revokeKey(other.app, other.request({ at }), owner.account_id, key_id));
    await timers.pass(2.5);
    await atRest();
    expect(await stateOf()).to.include({ _tag: 'Ended', reason: 'key_revoked', duration_seconds: 10 });
    expect([process.realtime.live.size, process.realtime.keyWatch]).to.deep.equal([0, null]);
    await log.close();
  });
});
