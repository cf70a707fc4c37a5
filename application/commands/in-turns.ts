import type * as T from 'fp-ts/lib/Task.js';
import type { InParts } from '../../domain/kernel/in-parts.js';
import type { YieldIfBusy } from '../ports/event-loop.js';

/** Lets others have their turn first, where this turn has been long at work. */
export const othersFirst =
  (yieldIfBusy: YieldIfBusy): T.Task<void> =>
  async () => {
    const turn = yieldIfBusy();
    if (turn !== null) await turn;
  };

/** Finds what is found in parts; others have their turn between them. */
export const inTurns = async <Result>(yieldIfBusy: YieldIfBusy, parts: InParts<Result>): Promise<Result> => {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
    const turn = yieldIfBusy();
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    if (turn !== null) await turn;
  }
};
