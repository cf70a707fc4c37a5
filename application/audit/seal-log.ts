import * as E from 'fp-ts/lib/Either.js';
import { type LogEndsBelowSeal, auditSealEvents } from '../../domain/audit-seal/contract.js';
import { auditSeal } from '../../domain/audit-seal/decider.js';
import { isEventOf } from '../../domain/kernel/recorded-event.js';
import type { Fault } from '../../projections/audit/fault.js';
import { createLogScan } from '../../projections/audit/scan-log.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { aggregate } from '../commands/handle-command.js';
import type { Clock } from '../ports/clock.js';
import type { EventStore } from '../ports/event-store.js';
import type { Ids } from '../ports/ids.js';
import { commandContext, serviceRequest } from '../commands/context.js';
import type { OnProgress } from './read-log.js';
import { type StoredSeal, readSeals } from './stored-seals.js';
import { scanAll } from './verify-log.js';

/** The log has a fault and is not sealed. */
export interface LogIsWrong {
  readonly _tag: 'LogIsWrong';
  readonly first: Fault;
}

/** The log is empty. */
export interface NothingToSeal {
  readonly _tag: 'NothingToSeal';
}

type SealFailure = LogIsWrong | NothingToSeal | LogEndsBelowSeal | RevisionChanged | Failure;

interface SealNeeds {
  readonly store: EventStore;
  readonly ids: Ids;
  readonly clock: Clock;
}

const isSeal = isEventOf(auditSealEvents);

/**
 * Verifies the whole log and appends a seal over it. Returns the newest seal, which is an earlier one if nothing was written
 * since.
 */
export const sealLog = async (
  { store, ids, clock }: SealNeeds,
  onProgress?: OnProgress,
): Promise<E.Either<SealFailure, StoredSeal & { readonly isNew: boolean }>> => {
  const before = await readSeals(store);
  if (E.isLeft(before)) return before;
  const scan = createLogScan(before.right.map(({ revision, sealed }) => ({ sealed, name: `seal number ${revision}` })));
  const scanned = await scanAll(store, scan, onProgress);
  if (E.isLeft(scanned)) return scanned;
  const [first] = scan.end({ isWhole: true }).faults;
  if (first !== undefined) return E.left({ _tag: 'LogIsWrong', first });
  const sealed = scan.seal();
  if (sealed === null) return E.left({ _tag: 'NothingToSeal' });
  const at = clock.now();
  const context = commandContext(ids, serviceRequest('audit-seal', ids.random(), at));
  const handled = await aggregate(store, auditSeal, isSeal).handle('log', { type: 'SealLog', sealed, at }, context)();
  if (E.isLeft(handled)) return handled;
  const after = await readSeals(store);
  if (E.isLeft(after)) return after;
  const last = before.right.at(-1)?.revision ?? -1;
  const newest = after.right.at(-1);
  return newest === undefined
    ? E.left({ _tag: 'NothingToSeal' })
    : E.right({ ...newest, isNew: newest.revision > last });
};
