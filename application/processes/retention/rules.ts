import * as TE from 'fp-ts/lib/TaskEither.js';
import { storedVersions } from '../../../domain/event-catalogue.js';
import type { AccountId } from '../../../domain/kernel/ids.js';
import { readLog } from '../../audit/read-log.js';
import type { EventStore } from '../../ports/event-store.js';
import { readEvent } from '../../commands/read-event.js';
import { had } from './interrupted.js';

/** What an account wants: its media are erased after so many days without an event. */
export interface RetentionRule {
  readonly account_id: AccountId;
  readonly days: number;
  /** The event that set it. */
  readonly set_by: string;
}

/** The rules that stand; throws `Interrupted`. */
export const retentionRules = async (store: EventStore): Promise<ReadonlyArray<RetentionRule>> => {
  const rules = new Map<AccountId, RetentionRule>();
  for await (const page of readLog(store, { types: storedVersions('RetentionSet') }))
    for (const stored of await had(TE.fromEither(page))) {
      const { event, event_id } = await had(TE.fromEither(readEvent(stored)));
      if (event.type !== 'RetentionSet') continue;
      const { account_id, days } = event.data;
      if (days === null) rules.delete(account_id);
      else rules.set(account_id, { account_id, days, set_by: event_id });
    }
  return [...rules.values()];
};
