import * as E from 'fp-ts/lib/Either.js';
import { isPersonal } from '../../domain/personal-data.js';
import { readLog } from '../audit/read-log.js';
import type { EventStore, StoreUnavailable } from '../ports/event-store.js';

/**
 * Whether a log, as it is stored, has encrypted data and no personal data in clear text. Reads it up to the first event
 * in clear text.
 */
export const isSealedLog = async (
  stored: EventStore,
  isSealed: (data: unknown) => boolean,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  let found = false;
  for await (const page of readLog(stored)) {
    if (E.isLeft(page)) return page;
    for (const { type, data } of page.right)
      if (isSealed(data)) found = true;
      else if (isPersonal(type)) return E.right(false);
  }
  return E.right(found);
};
