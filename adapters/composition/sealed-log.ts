import { constVoid } from 'fp-ts/lib/function.js';
import type { EventStore, StoredEvent } from '../../application/ports/event-store.js';
import type { PersonalKeys } from '../../application/ports/personal-keys.js';
import { subjectOfStream } from '../../domain/kernel/stream-name.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import { erasuresOf, isErasure } from '../event-store/sealed/erasures.js';
import { keyRing } from '../event-store/sealed/key-ring.js';
import { personalKeys } from '../event-store/sealed/personal-keys.js';
import { type SealedStore, sealedStore } from '../event-store/sealed/sealed-store.js';

/**
 * A log whose personal data is sealed with the keys of a vault; `stored` is the log as it is stored. `onMissingKey` is
 * called when data cannot be opened because the key of a subject is missing.
 */
export const sealedLog = (
  stored: EventStore,
  vault: KeyVault,
  onErasure: (listener: (event: StoredEvent) => void) => void = constVoid,
  onMissingKey: (subject: string) => void = constVoid,
): SealedStore & { readonly keys: PersonalKeys } => {
  const erasures = erasuresOf(stored);
  const ring = keyRing({ vault, store: stored, erasures, onMissingKey });
  const sealed = sealedStore(stored, ring);
  // Cached keys and texts are dropped as soon as this instance learns that another one erased the medium.
  onErasure((event) => {
    erasures.hear(event);
    const subject = isErasure(event) ? subjectOfStream(event.stream) : null;
    if (subject !== null) sealed.forget(subject);
  });
  return { ...sealed, keys: personalKeys(stored, ring, sealed.forget) };
};
