import * as E from 'fp-ts/lib/Either.js';
import type { SealedLog } from '../../domain/audit-seal/contract.js';
import { eventHash, hashOf } from '../../projections/audit/event-hash.js';
import type { EventStore, StoreUnavailable } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';

export const sealStream = 'auditSeal-log';

/** A seal in the log. */
export interface StoredSeal {
  readonly revision: number;
  readonly hash: string;
  readonly position: string;
  readonly sealed: SealedLog;
}

const pageSize = 100;

/** The intact seals of a log, in order. Seals whose hash does not match are left out. */
export const readSeals = async (store: EventStore): Promise<E.Either<StoreUnavailable, ReadonlyArray<StoredSeal>>> => {
  const seals: StoredSeal[] = [];
  let previous: string | null = null;
  for (let after = -1; ;) {
    const page: E.Either<StoreUnavailable, ReadonlyArray<Parameters<typeof readEvent>[0]>> = await store.read(
      sealStream,
      after,
      pageSize,
    )();
    if (E.isLeft(page)) return page;
    for (const stored of page.right) {
      const hash = hashOf(stored);
      const recorded = readEvent(stored);
      const isWhole = hash !== null && hash === eventHash(stored, previous);
      if (isWhole && E.isRight(recorded) && recorded.right.event.type === 'LogSealed') {
        const { at: _at, ...sealed } = recorded.right.event.data;
        seals.push({ revision: stored.revision, hash, position: stored.position, sealed });
      }
      previous = hash;
      after = stored.revision;
    }
    if (page.right.length < pageSize) return E.right(seals);
  }
};
