import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { SentFrame } from '../../application/realtime/results-frames.js';
import { createSession } from '../../application/realtime/create-session.js';
import { openResults } from '../../application/realtime/open-results.js';
import { setSpendingWindow } from '../../application/use-cases/credits/credits.js';
import { owner } from '../support/application/world.js';
import { credits, accountId } from '../support/values.js';
import { period } from '../support/credit-events.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { manualTimers } from '../support/realtime/manual-timers.js';
import { granted, realtimeProcess } from '../support/realtime/process.js';

/** A connected session of 0.7 credits a minute, for an account with this balance and window. */
const running = async (balance: string, limit: string | null) => {
  const log = await openInMemory();
  const timers = manualTimers();
  const process = realtimeProcess(log.store, timers);
  const { app, realtime, request } = process;
  await granted(process, balance);
  if (limit !== null)
    await succeeded(
      setSpendingWindow(app, request(), accountId(owner.account_id), {
        limit: credits(limit),
        period_seconds: period(3_600),
      }),
    );
  const create = () => createSession(realtime, request(), {});
  const session = await succeeded(create());
  const frames: SentFrame[] = [];
  await succeeded(openResults(realtime, session, { send: (frame) => void frames.push(frame), close: () => undefined }));
  await process.connect(session.session_id);
  const shortage = async () => {
    const refused = await create()();
    return E.isLeft(refused) && refused.left._tag === 'NoCreditToStart' ? refused.left.shortage : refused;
  };
  return { log, timers, frames, shortage };
};

describe('a realtime session that ends for lack of credit', () => {
  it('says so of the balance, as does the refusal of another session', async () => {
    const { log, timers, frames, shortage } = await running('0.35', null);
    await timers.pass(40);
    expect(frames.at(-1)).to.deep.include({ code: 'insufficient_credits', reason: 'balance', retryable: false });
    expect(frames.at(-1)).not.to.have.property('retry_after_seconds');
    expect(await shortage()).to.deep.equal({ reason: 'balance', retry_after_seconds: null });
    await log.close();
  });

  it('says so of the spending window, and when it has room for a session again', async () => {
    const { log, timers, frames, shortage } = await running('1000', '0.35');
    await timers.pass(30.5);
    const last = frames.at(-1);
    expect(last).to.deep.include({ code: 'insufficient_credits', reason: 'window', retryable: true });
    // The window of an hour has room again when the charge of the first ten seconds has left it.
    expect(last).to.have.property('retry_after_seconds').that.is.within(3_579, 3_581);
    expect(last).to.have.property('error').that.includes('window');
    expect(await shortage()).to.include({ reason: 'window' });
    await timers.pass(3_560);
    expect(await shortage())
      .to.have.property('retry_after_seconds')
      .that.is.within(15, 25);
    await timers.pass(25);
    expect(await shortage()).to.have.property('_tag', 'Right');
    await log.close();
  });
});
