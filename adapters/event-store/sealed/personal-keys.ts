import { createHmac } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import type { PersonalKeys } from '../../../application/ports/personal-keys.js';
import { categories, storedVersions } from '../../../domain/event-catalogue.js';
import { eventTypes } from '../../../domain/event-catalogue.js';
import { isPersonal } from '../../../domain/personal-data.js';
import type { KeyRing } from './key-ring.js';
import { isSealed } from './sealed-data.js';

const personal = { categories, types: eventTypes.filter(isPersonal).flatMap(storedVersions) };

/** The personal keys of a log. `stored` is the log as it is stored; `forget` is that of the sealed store. */
export const personalKeys = (
  stored: Pick<EventStore, 'readAll'>,
  ring: KeyRing,
  forget: (subject: Parameters<PersonalKeys['erase']>[0]) => void,
): PersonalKeys => {
  /**
   * Whether the log is known to be sealed. Its first personal event tells, because sealing is never switched off for a
   * log.
   */
  let known = false;
  return {
    erase: (subject) =>
      pipe(
        TE.fromIO(() => forget(subject)),
        TE.chain(() => () => ring.erase(subject)),
        TE.map(() => forget(subject)),
      ),
    isThere: (subject) => () => ring.isThere(subject),
    isLogSealed: () =>
      known
        ? TE.right(true)
        : pipe(
            stored.readAll(null, personal, 1),
            TE.map(({ events }) => {
              known = events.length > 0 && events.every(({ data }) => isSealed(data));
              return known || events.length === 0;
            }),
          ),
    digest: (subject, text) => async () =>
      E.map((key: Uint8Array) => createHmac('sha256', key).update(text).digest('hex'))(await ring.digestKey(subject)),
  };
};
