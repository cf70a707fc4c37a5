import * as TE from 'fp-ts/lib/TaskEither.js';
import { SessionId } from '../../../domain/kernel/ids.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { Application } from '../../application.js';
import { readEvent } from '../../commands/read-event.js';
import type { RequestContext } from '../../commands/context.js';
import { eraseSession } from '../../use-cases/erasure/erase.js';
import { eraseUnlessChanged, orInterrupt } from './interrupted.js';
import { type RetentionRule, type Sources, selected } from './lookups.js';

/** One retention run over an account's sessions. */
interface RetentionRun extends Sources {
  readonly app: Application;
  readonly rule: RetentionRule;
  readonly request: RequestContext;
  /** Sessions that ended before this time are erased. */
  readonly from: Timestamp;
  /** Sessions that ended before this time were handled by an earlier run; null: there was none. */
  readonly handledUntil: Timestamp | null;
  readonly isClosed: () => boolean;
}

/** Erases an account's sessions that ended before `from`. Throws `Interrupted`. */
export const eraseOldSessions = async (run: RetentionRun): Promise<void> => {
  const { app, rule, request, handledUntil, from, isClosed } = run;
  const gone = new Set<string>();
  const erasures = { category: 'realtimeSession', type: 'MediumErased', from: handledUntil };
  for await (const { stream } of selected(run, erasures)) gone.add(stream);
  for await (const stored of selected(run, { type: 'RealtimeSessionEnded', from: handledUntil, to: from })) {
    if (isClosed()) return;
    if (gone.has(stored.stream)) continue;
    const { event } = await orInterrupt(TE.fromEither(readEvent(stored)));
    if (event.type !== 'RealtimeSessionEnded' || !SessionId.is(event.data.session_id)) continue;
    const { session_id, account_id } = event.data;
    if ((account_id ?? (await ownerOf(app, session_id))) !== rule.account_id) continue;
    await eraseUnlessChanged(eraseSession(app, request, session_id));
  }
};

/** The owner of a session whose last event does not name it. */
const ownerOf = async (app: Application, session_id: SessionId): Promise<string | null> => {
  const { state } = await orInterrupt(app.realtimeSessions.load(session_id));
  return state._tag === 'Ended' ? state.created.account_id : null;
};
