import type { EventStore } from '../../application/ports/event-store.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import { type SealedStore, sealedStore } from '../event-store/sealed/sealed-store.js';
import { subjectKeys } from '../event-store/sealed/subject-keys.js';

/**
 * A log whose personal data is sealed with the keys of a vault; `stored` is the log as it is stored. `onMissingKey` is
 * called when data cannot be opened because the key of a subject is missing.
 */
export const sealedLog = (stored: EventStore, vault: KeyVault, onMissingKey?: (subject: string) => void): SealedStore =>
  sealedStore(stored, subjectKeys({ vault, store: stored, onMissingKey }));
