import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { StoreUnavailable } from './event-store.js';

/** How far each process has handled the log. After a crash, events after the last checkpoint are handled again. */
export interface Checkpoints {
  readonly load: (process: string) => TaskEither<StoreUnavailable, Position | null>;
  readonly save: (process: string, position: Position) => TaskEither<StoreUnavailable, void>;
}
