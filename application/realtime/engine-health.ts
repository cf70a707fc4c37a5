import type { Task } from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Realtime } from './realtime.js';

export interface EngineHealth {
  readonly status: 'ok' | 'unreachable';
  /** When to ask again; null when all is well. */
  readonly retry_after_seconds: number | null;
}

const retry_after_seconds = 5;

/** Whether the analysis engine is reachable; how much capacity is free has nothing to do with it. */
export const engineHealth = ({ health }: Realtime): Task<EngineHealth> =>
  pipe(
    health,
    TE.match(
      (): EngineHealth => ({ status: 'unreachable', retry_after_seconds }),
      () => ({ status: 'ok', retry_after_seconds: null }),
    ),
  );
