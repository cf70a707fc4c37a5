import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type Timestamp, secondsAfter } from '../../../domain/kernel/timestamp.js';
import type { Application } from '../../application.js';
import type { Timers } from '../../ports/clock.js';
import { type Repetition, repeat } from '../repeat.js';
import { commandContext, serviceRequest } from '../../commands/context.js';
import { Interrupted, orInterrupt } from './interrupted.js';
import { eraseOldMedia } from './media.js';
import { eraseOldSessions } from './sessions.js';
import { type Sources, type RetentionRule, retentionRules, retentionActor } from './lookups.js';

/** What retention needs. `upToHead` waits until the read models cover the whole log. */
export interface RetentionNeeds extends Pick<Sources, 'queries'> {
  readonly app: Application;
  readonly upToHead: TaskEither<{ readonly _tag: string }, void>;
}

const secondsOfDay = 86_400;

/** The application, with the event that set the rule as the cause of erasures. */
const causedBy = (app: Application, { set_by }: RetentionRule): Application => ({
  ...app,
  perform: (request, to, id, command) =>
    app.perform(request, to, id, command, { ...commandContext(app.ids, request), causation_id: set_by }),
});

/** When this process last checked each rule. */
type Checks = Map<RetentionRule['set_by'], Timestamp>;

const runOnce = async (
  { app, queries, upToHead }: RetentionNeeds,
  checks: Checks,
  isClosed: () => boolean,
): Promise<void> => {
  const sources: Sources = { store: app.store, queries };
  const rules = await retentionRules(app.store);
  if (rules.length === 0) return;
  await orInterrupt(upToHead);
  const at = app.clock.now();
  for (const rule of rules) {
    if (isClosed()) return;
    const dueBefore = (time: Timestamp): Timestamp => secondsAfter(time, -rule.days * secondsOfDay);
    const from = dueBefore(at);
    const last = checks.get(rule.set_by) ?? null;
    const request = serviceRequest(retentionActor, `retention-${app.ids.random()}`, at);
    const run = { ...sources, app: causedBy(app, rule), rule, request, from, isClosed };
    await eraseOldMedia({ ...run, detachedFrom: last ?? from });
    await eraseOldSessions({ ...run, handledUntil: last === null ? null : dueBefore(last) });
    if (!isClosed()) checks.set(rule.set_by, at);
  }
};

const interval_seconds = 3_600;
const retry_seconds = 60;

/**
 * Erases media and sessions whose retention period is over, immediately and then every hour. After a failure it starts
 * again a minute later.
 */
export const startRetention = (needs: RetentionNeeds, timers: Pick<Timers, 'after'>): Repetition => {
  const checks: Checks = new Map();
  return repeat(timers, interval_seconds, async (isClosed) => {
    try {
      return await runOnce(needs, checks, isClosed);
    } catch (failure: unknown) {
      if (!(failure instanceof Interrupted)) throw failure;
      if (!isClosed()) needs.app.log.warn('retention was interrupted', { failure: failure.message });
      return retry_seconds;
    }
  });
};
