import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { StoreUnavailable } from './event-store.js';

/** How far each process has read the log. What is handled after the last saved checkpoint is handled again after a crash. */
export interface Checkpoints {
  readonly load: (process: string) => TaskEither<StoreUnavailable, Position | null>;
  readonly save: (process: string, position: Position) => TaskEither<StoreUnavailable, void>;
}
