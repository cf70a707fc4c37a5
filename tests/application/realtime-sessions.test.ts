import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import { application } from '../../application/reactions/run.js';
import type { SentFrame, ResultsListener } from '../../application/realtime/results-frames.js';
import { addCandidate, createSession, endAllSessions, negotiate } from '../../application/realtime/sessions.js';
import { openResults } from '../../application/realtime/open-results.js';
import { eraseSession } from '../../application/use-cases/erasure/erase.js';
import { setSpendingWindow } from '../../application/use-cases/credits/credits.js';
import { issueKey, openAccount, revokeKey } from '../../application/use-cases/access/manage-access.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import { failingStore, openInMemory, succeeded } from '../support/event-store/stores.js';
import { atRest, manualTimers } from '../support/realtime/manual-timers.js';
import { granted, realtimeProcess, type RealtimeProcess } from '../support/realtime/process.js';
import { owner, world } from '../support/application/world.js';
import { credits, accountId } from '../support/values.js';
import { period } from '../support/credit-events.js';

/** A session with a listener, on a store whose reads of sessions fail on request. */
const open = async () => {
  const log = await openInMemory();
  const failing = failingStore(log.store);
  const timers = manualTimers();
  const process = realtimeProcess(failing.store, timers);
  const { realtime, request } = process;
  await granted(process, '1000');
  let isReadable = true;
  const app = application({
    ...process.app,
    realtimeSessions: {
      ...process.app.realtimeSessions,
      load: (id) =>
        isReadable ? process.app.realtimeSessions.load(id) : TE.left({ _tag: 'StoreUnavailable', reason: 'a test' }),
    },
  });
  Object.assign(realtime, { app });
  const session = await succeeded(createSession(realtime, request(), {}));
  const received: string[] = [];
  const listener = {
    send: (frame: SentFrame) => void received.push('state' in frame ? `${frame.type} ${frame.state}` : frame.type),
    close: (code: number, reason: string) => void received.push(`${code} ${reason}`),
  };
  const leave = await succeeded(openResults(realtime, session, listener));
  const elsewhere = realtimeProcess(failing.store, timers, {}, 'elsewhere');
  const { session_id } = session;
  return {
    log,
    failing,
    timers,
    process,
    app,
    session,
    session_id,
    elsewhere,
    received,
    leave,
    readable: (is: boolean) => void (isReadable = is),
  };
};

describe('a realtime session held by a process', () => {
  it('leaves no timer once it has ended, and sends no more frames', async () => {
    const { log, timers, process, session_id, received, leave } = await open();
    await process.connect(session_id);
    await timers.pass(25);
    process.engine.report(session_id, { kind: 'media', state: 'disconnected' });
    await process.end(session_id);
    const onlyKeys = 1;
    expect([timers.waiting(), process.realtime.creditWatches.size]).to.deep.equal([onlyKeys, 0]);
    const frames = ['ready', 'media connected', 'usage', 'usage', 'media disconnected', 'usage', '1000 Session ended'];
    expect(received).to.deep.equal(frames);
    leave();
    await timers.pass(100);
    expect(timers.waiting()).to.equal(0);
    expect(received).to.deep.equal(frames);
    await log.close();
  });

  it('ends with an error and a close code of its own if nobody negotiates', async () => {
    const { log, timers, received } = await open();
    await timers.pass(61);
    expect(received).to.deep.equal(['ready', 'usage', 'error', '4408 Session timed out']);
    await log.close();
  });

  it('leaves no timer when its process shuts down, even if its end could not be written', async () => {
    const { log, failing, timers, process, app, session_id } = await open();
    await process.connect(session_id);
    failing.failAfter(0);
    await timers.pass(15);
    await endAllSessions(process.realtime);
    await atRest();
    expect(timers.waiting()).to.equal(0);
    failing.recover();
    await endAllSessions(process.realtime);
    expect([process.realtime.live.size, timers.waiting()]).to.deep.equal([0, 0]);
    expect((await succeeded(app.realtimeSessions.load(session_id))).state).to.include({ reason: 'server_shutdown' });
    await log.close();
  });

  it('is dropped once the process reads that it ended elsewhere', async () => {
    const { log, timers, process, session_id, elsewhere, leave, readable } = await open();
    leave();
    await elsewhere.end(session_id);
    readable(false);
    await timers.pass(40);
    expect(process.realtime.live.size).to.equal(1);
    readable(true);
    await timers.pass(2);
    expect([process.realtime.live.size, process.engine.closed]).to.deep.equal([0, [session_id]]);
    await log.close();
  });

  it('leaves no media behind when it ends while an offer is answered, though the store fails then', async () => {
    const { log, process, session_id } = await open();
    const engine: typeof process.engine = {
      ...process.engine,
      negotiate: (...given) =>
        pipe(
          TE.fromTask(() => process.end(session_id)),
          TE.chain(() => process.engine.negotiate(...given)),
        ),
    };
    const app = { ...process.app, perform: () => TE.left({ _tag: 'StoreUnavailable' as const, reason: 'a test' }) };
    await negotiate({ ...process.realtime, app, engine }, process.request(), session_id, 'v=0')();
    expect(process.engine.closed).to.deep.equal([session_id, session_id]);
    await log.close();
  });

  it('is dropped if it was ended and erased elsewhere', async () => {
    const { log, timers, process, session_id, elsewhere, received } = await open();
    await process.connect(session_id);
    await elsewhere.end(session_id);
    await succeeded(eraseSession(elsewhere.app, elsewhere.request(), session_id));
    await timers.pass(11);
    expect([process.realtime.live.size, process.engine.closed]).to.deep.equal([0, [session_id]]);
    expect(received.slice(-2)).to.deep.equal(['error', '1011 Server lost the session']);
    await log.close();
  });
});

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

const plain = { label: null, admin: false, permissions: [] };

/** A session created by a key of the owner, on an instance whose time the test controls. */
const openByKey = async (expires_in_seconds: number | null) => {
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
  const session = await succeeded(createSession(realtime, request, {}));
  const { session_id } = session;
  const received: string[] = [];
  const listener = {
    send: (frame: SentFrame) => void ('code' in frame && received.push(frame.code)),
    close: (code: number, reason: string) => void received.push(`${code} ${reason}`),
  };
  await succeeded(openResults(realtime, session, listener));
  await process.connect(session_id);
  const stateOf = async () => (await succeeded(app.realtimeSessions.load(session_id))).state;
  return { log, timers, process, key_id, stateOf, received };
};

describe('a realtime session, by the key that created it', () => {
  it('ends when the key expires, charged until then', async () => {
    const { log, timers, stateOf } = await openByKey(31);
    await timers.pass(30.9);
    expect(await stateOf()).to.include({ _tag: 'Open' });
    await timers.pass(4);
    expect(await stateOf()).to.include({ _tag: 'Ended', reason: 'key_revoked', duration_seconds: 32 });
    await log.close();
  });

  it('ends when the key is revoked on another instance', async () => {
    const { log, timers, process, key_id, stateOf, received } = await openByKey(null);
    await timers.pass(9);
    const other = world(log.store, 'other');
    const at = secondsAfter(timers.now(), 0);
    await succeeded(revokeKey(other.app, other.request({ at }), owner.account_id, key_id));
    await timers.pass(2.5);
    await atRest();
    expect(await stateOf()).to.include({ _tag: 'Ended', reason: 'key_revoked', duration_seconds: 10 });
    expect(received).to.deep.equal(['key_revoked', '1008 Invalid or expired token']);
    expect([process.realtime.live.size, process.realtime.keyWatch]).to.deep.equal([0, null]);
    await log.close();
  });
});

const refused = async (task: TE.TaskEither<{ readonly _tag: string }, unknown>): Promise<string> => {
  const answer = await task();
  return E.isLeft(answer) ? answer.left._tag : 'taken';
};

const silentListener: ResultsListener = { send: () => undefined, close: () => undefined };

describe('an offer, a candidate or a listener', () => {
  it('is refused for a session that has just ended, and names the instance if the session runs elsewhere', async () => {
    const { log, process, elsewhere, session } = await open();
    const candidate = { candidate: '', sdp_mid: null, sdp_m_line_index: null };
    const refusals = async ({ realtime, request }: RealtimeProcess) => [
      await refused(negotiate(realtime, request(), session.session_id, 'v=0')),
      await refused(addCandidate(realtime, session.session_id, candidate)),
      await refused(openResults(realtime, session, silentListener)),
    ];
    expect(await refusals(elsewhere)).to.deep.equal(['SessionElsewhere', 'SessionElsewhere', 'HeldElsewhere']);
    await process.end(session.session_id);
    expect(await refusals(process)).to.deep.equal(['SessionNotFound', 'SessionNotFound', 'NoSuchSession']);
    await log.close();
  });

  it('is refused if the session ends while the token and the credits of a listener are checked', async () => {
    const { log, process, session } = await open();
    const ending = process.app.creditAccounts.load;
    const load: typeof ending = (id) =>
      pipe(
        ending(id),
        TE.chainFirstTaskK(() => () => process.end(session.session_id)),
      );
    const app = application({ ...process.app, creditAccounts: { ...process.app.creditAccounts, load } });
    const opening = openResults({ ...process.realtime, app }, session, silentListener);
    expect(await refused(opening)).to.equal('NoSuchSession');
    await log.close();
  });
});
