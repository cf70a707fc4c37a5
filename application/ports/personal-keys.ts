import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { MediumErased } from '../../domain/kernel/erased.js';
import type { Subject } from '../../domain/kernel/stream-name.js';
import type { StoreUnavailable } from './event-store.js';

/** The keys by which the log seals personal data, as far as use cases have to do with them. */
export interface PersonalKeys {
  /** Destroys the key of what was erased, also when it is there again; all that was read by it is forgotten. */
  readonly erase: (subject: Subject) => TaskEither<StoreUnavailable, void>;
  /** Whether the key of a subject is still there. */
  readonly isThere: (subject: Subject) => TaskEither<StoreUnavailable, boolean>;
  /** Whether the log holds no personal data in clear. */
  readonly isLogSealed: () => TaskEither<StoreUnavailable, boolean>;
  /**
   * A digest that nobody can compute, nor compare with others, without the subject's key. Null: a key of the service,
   * for what names no medium.
   */
  readonly digest: (subject: Subject | null, text: string) => TaskEither<StoreUnavailable | MediumErased, string>;
}
