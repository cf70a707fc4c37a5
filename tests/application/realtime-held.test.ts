import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { application } from '../../application/reactions/run.js';
import type { SentFrame } from '../../application/realtime/results-frames.js';
import { createSession } from '../../application/realtime/create-session.js';
import { negotiate } from '../../application/realtime/negotiate.js';
import { openResults } from '../../application/realtime/open-results.js';
import { endAllSessions } from '../../application/realtime/end-session.js';
import { eraseSession } from '../../application/use-cases/erasure/erase.js';
import { failingStore, openInMemory, succeeded } from '../support/event-store/stores.js';
import { atRest, manualTimers } from '../support/realtime/manual-timers.js';
import { granted, realtimeProcess } from '../support/realtime/process.js';

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
