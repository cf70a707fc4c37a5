import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { application } from '../../application/reactions/run.js';
import type { ResultsListener } from '../../application/realtime/results-frames.js';
import { createSession } from '../../application/realtime/create-session.js';
import { addCandidate, negotiate } from '../../application/realtime/negotiate.js';
import { openResults } from '../../application/realtime/open-results.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { manualTimers } from '../support/realtime/manual-timers.js';
import { type RealtimeProcess, granted, realtimeProcess } from '../support/realtime/process.js';

const silentListener: ResultsListener = { send: () => undefined, close: () => undefined };

const open = async () => {
  const { store, close } = await openInMemory();
  const here = realtimeProcess(store, manualTimers());
  await granted(here, '1000');
  const session = await succeeded(createSession(here.realtime, here.request(), {}));
  return { store, close, here, session };
};

const refused = async (task: TE.TaskEither<{ readonly _tag: string }, unknown>): Promise<string> => {
  const answer = await task();
  return E.isLeft(answer) ? answer.left._tag : 'taken';
};

const outcome = async (
  { realtime }: Pick<RealtimeProcess, 'realtime'>,
  session: { readonly token: string; readonly session_id: SessionId },
): Promise<string> => refused(openResults(realtime, session, silentListener));

describe('an offer or a candidate', () => {
  it('is refused for a session that has just ended, and names the instance if the session runs elsewhere', async () => {
    const { store, here, session, close } = await open();
    const elsewhere = realtimeProcess(store, manualTimers(), {}, 'elsewhere');
    const candidate = { candidate: '', sdp_mid: null, sdp_m_line_index: null };
    const refusals = async ({ realtime, request }: RealtimeProcess) => [
      await refused(negotiate(realtime, request(), session.session_id, 'v=0')),
      await refused(addCandidate(realtime, session.session_id, candidate)),
    ];
    expect(await refusals(elsewhere)).to.deep.equal(['SessionElsewhere', 'SessionElsewhere']);
    await here.end(session.session_id);
    expect(await refusals(here)).to.deep.equal(['SessionNotFound', 'SessionNotFound']);
    await close();
  });
});

describe('a results listener', () => {
  it('is refused if the session ends while the token and the credits are checked', async () => {
    const { here, session, close } = await open();
    const ending = here.app.creditAccounts.load;
    const load: typeof ending = (id) =>
      pipe(
        ending(id),
        TE.chainFirstTaskK(() => () => here.end(session.session_id)),
      );
    const app = application({ ...here.app, creditAccounts: { ...here.app.creditAccounts, load } });
    expect(await outcome({ realtime: { ...here.realtime, app } }, session)).to.equal('NoSuchSession');
    await close();
  });

  it('gets the name of the right instance from one that does not hold the session', async () => {
    const { store, here, session, close } = await open();
    const elsewhere = realtimeProcess(store, manualTimers(), {}, 'elsewhere');
    expect(await outcome(elsewhere, session)).to.equal('HeldElsewhere');
    expect(await outcome(here, session)).to.equal('taken');
    await close();
  });
});
