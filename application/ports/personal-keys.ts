import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { MediumErased } from '../../domain/kernel/erased.js';
import type { Subject } from '../../domain/kernel/stream-name.js';
import type { StoreUnavailable } from './event-store.js';

/** The operations of use cases on the keys that encrypt personal data in the log. */
export interface PersonalKeys {
  /** Destroys the key of an erased subject, also if it was restored, and clears what was decrypted with it from caches. */
  readonly erase: (subject: Subject) => TaskEither<StoreUnavailable, void>;
  /** Whether the key of a subject exists. */
  readonly isThere: (subject: Subject) => TaskEither<StoreUnavailable, boolean>;
  /** Whether all personal data in the log is encrypted. */
  readonly isLogSealed: () => TaskEither<StoreUnavailable, boolean>;
  /**
   * A keyed digest, which cannot be computed or compared with others without the subject's key. Null: uses a key of the
   * service, for text that is not about a subject.
   */
  readonly digest: (subject: Subject | null, text: string) => TaskEither<StoreUnavailable | MediumErased, string>;
}
