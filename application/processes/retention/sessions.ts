import * as TE from 'fp-ts/lib/TaskEither.js';
import { SessionId } from '../../../domain/kernel/ids.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { Application } from '../../application.js';
import { readEvent } from '../../commands/read-event.js';
import type { RequestContext } from '../../commands/context.js';
import { eraseSession } from '../../use-cases/erasure/erase.js';
import { erased, had } from './interrupted.js';
import { type RetentionRule, type Places, selected } from './lookups.js';

/** What a look at one account's sessions goes by. */
interface Look extends Places {
  readonly app: Application;
  readonly rule: RetentionRule;
  readonly request: RequestContext;
  /** Those that ended before are erased, */
  readonly from: Timestamp;
  /** and those that had ended before this time were looked at before; null: none were. */
  readonly looked: Timestamp | null;
  readonly isClosed: () => boolean;
}

/** Erases an account's sessions that ended before a time: nothing is written of them later. Throws `Interrupted`. */
export const eraseOldSessions = async (look: Look): Promise<void> => {
  const { app, rule, request, looked, from, isClosed } = look;
  const gone = new Set<string>();
  const erasures = { category: 'realtimeSession', type: 'MediumErased', from: looked };
  for await (const { stream } of selected(look, erasures)) gone.add(stream);
  for await (const stored of selected(look, { type: 'RealtimeSessionEnded', from: looked, to: from })) {
    if (isClosed()) return;
    if (gone.has(stored.stream)) continue;
    const { event } = await had(TE.fromEither(readEvent(stored)));
    if (event.type !== 'RealtimeSessionEnded' || !SessionId.is(event.data.session_id)) continue;
    const { session_id, account_id } = event.data;
    if ((account_id ?? (await ownerOf(app, session_id))) !== rule.account_id) continue;
    await erased(eraseSession(app, request, session_id));
  }
};

/** Whose a session is, where its end does not say so. */
const ownerOf = async (app: Application, session_id: SessionId): Promise<string | null> => {
  const { state } = await had(app.realtimeSessions.load(session_id));
  return state._tag === 'Ended' ? state.created.account_id : null;
};
