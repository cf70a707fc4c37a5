import { constVoid } from 'fp-ts/lib/function.js';
import type { EventStore, StoredEvent } from '../../application/ports/event-store.js';
import { subjectOfStream } from '../../domain/kernel/stream-name.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import { type SealedStore, sealedStore } from '../event-store/sealed/sealed-store.js';
import { isErasure, subjectKeys } from '../event-store/sealed/subject-keys.js';

/**
 * A log whose personal data is sealed with the keys of a vault; `stored` is the log as it is stored. `onMissingKey` is
 * called when data cannot be opened because the key of a subject is missing.
 */
export const sealedLog = (
  stored: EventStore,
  vault: KeyVault,
  onErasure: (listener: (event: StoredEvent) => void) => void = constVoid,
  onMissingKey: (subject: string) => void = constVoid,
): SealedStore => {
  const sealed = sealedStore(stored, subjectKeys({ vault, store: stored, onMissingKey }));
  // Cached keys are dropped as soon as this instance learns that another one erased the medium.
  onErasure((event) => {
    const subject = isErasure(event) ? subjectOfStream(event.stream) : null;
    if (subject !== null) sealed.forget(subject);
  });
  return sealed;
};
