import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Process } from './run-process.js';

/** A process that remembers what it is at work on, and what it has done of late. */
export interface RememberedProcess {
  readonly process: Process;
  readonly progressOf: (event_id: string) => 'done' | 'in progress' | 'unknown';
}

/** So many events are remembered at most, of those that are done. */
const most = 10_000;

export const remembered = (process: Process): RememberedProcess => {
  const running = new Set<string>();
  const done = new Set<string>();
  const finish = (id: string): void => {
    done.add(id);
    const [oldest] = done;
    if (done.size > most && oldest !== undefined) done.delete(oldest);
  };
  return {
    process: {
      ...process,
      react: (event) => () => {
        const id = event.event_id;
        running.add(id);
        return pipe(
          process.react(event),
          TE.map(() => finish(id)),
        )().finally(() => running.delete(id));
      },
    },
    progressOf: (id) => {
      if (running.has(id)) return 'in progress';
      return done.has(id) ? 'done' : 'unknown';
    },
  };
};
