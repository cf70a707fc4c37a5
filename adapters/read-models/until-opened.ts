import * as E from 'fp-ts/lib/Either.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { pause } from '../runtime/pause.js';
import { DamagedFile } from './damage.js';
import type { Progress } from './progress-row.js';

type Reading = Pick<EventStore, 'read'>;

/** Why rows are made anew, where an event that is in none of them can be opened by now; else null. */
export const openedSince = async (store: Reading, unopened: Progress['unopened']): Promise<DamagedFile | null> => {
  for (const { stream, revision } of unopened) {
    const read = await store.read(stream, revision - 1, 1)();
    if (E.isRight(read) && read.right.some(({ withheld }) => withheld === undefined))
      return new DamagedFile('a key that was missing is there again');
  }
  return null;
};

/** Looks for that every `pause_ms` until it is so or the signal is aborted. */
export const untilOpened = async (
  store: Reading,
  unopened: () => Progress['unopened'],
  pause_ms: number,
  signal: AbortSignal,
): Promise<DamagedFile | null> => {
  for (let found: DamagedFile | null = null; ; found = await openedSince(store, unopened())) {
    if (found !== null || signal.aborted) return found;
    await pause(pause_ms, signal);
  }
};
