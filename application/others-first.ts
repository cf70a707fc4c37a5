import type * as T from 'fp-ts/lib/Task.js';
import type { GiveWay } from './ports/turns.js';

/** Lets others have their turn first, where this turn has been long at work. */
export const othersFirst =
  (giveWay: GiveWay): T.Task<void> =>
  async () => {
    const turn = giveWay();
    if (turn !== null) await turn;
  };
