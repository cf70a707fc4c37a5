import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type Timestamp, secondsAfter } from '../../../domain/kernel/timestamp.js';
import type { Application } from '../../application.js';
import type { Timers } from '../../ports/clock.js';
import { type Repetition, repeat } from '../repeat.js';
import { commandContext, serviceRequest } from '../../commands/context.js';
import { Interrupted, had } from './interrupted.js';
import { eraseOldMedia } from './media.js';
import { eraseOldSessions } from './sessions.js';
import { type Places, type RetentionRule, retentionRules, inferredSince, retentionActor } from './lookups.js';

/** What a look needs: `upToHead` waits until the read models show all that the log holds. */
export interface Looking extends Pick<Places, 'queries'> {
  readonly app: Application;
  readonly upToHead: TaskEither<{ readonly _tag: string }, void>;
}

const secondsOfDay = 86_400;

/** The application as retention uses it: what it erases was caused by the event that set the rule. */
const causedBy = (app: Application, { set_by }: RetentionRule): Application => ({
  ...app,
  performWithReactions: (request, to, id, command) =>
    app.performWithReactions(request, to, id, command, { ...commandContext(app.ids, request), causation_id: set_by }),
});

/** Up to when a rule's sessions were looked at by this process. */
type Looked = Map<RetentionRule['set_by'], Timestamp>;

const lookOnce = async (
  { app, queries, upToHead }: Looking,
  looked: Looked,
  isClosed: () => boolean,
): Promise<void> => {
  const places: Places = { store: app.store, queries };
  const rules = await retentionRules(app.store);
  if (rules.length === 0) return;
  await had(upToHead);
  const at = app.clock.now();
  for (const rule of rules) {
    if (isClosed()) return;
    const from = secondsAfter(at, -rule.days * secondsOfDay);
    const inferred = await inferredSince(places, from);
    const request = serviceRequest(retentionActor, `retention-${app.ids.random()}`, at);
    const look = { ...places, app: causedBy(app, rule), rule, request, from, isClosed };
    await eraseOldMedia({ ...look, inferred });
    await eraseOldSessions({ ...look, looked: looked.get(rule.set_by) ?? null });
    if (!isClosed()) looked.set(rule.set_by, from);
  }
};

const interval_seconds = 3_600;
const retry_seconds = 60;

/**
 * Erases, at once and then every hour, what nothing was written of for as many days as its account wants to keep it. A
 * failure is told, and it begins anew a minute later.
 */
export const startRetention = (looking: Looking, timers: Pick<Timers, 'after'>): Repetition => {
  const looked: Looked = new Map();
  return repeat(timers, interval_seconds, async (isClosed) => {
    try {
      return await lookOnce(looking, looked, isClosed);
    } catch (failure: unknown) {
      if (!(failure instanceof Interrupted)) throw failure;
      if (!isClosed()) looking.app.log.warn('retention was interrupted', { failure: failure.message });
      return retry_seconds;
    }
  });
};
