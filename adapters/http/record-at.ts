import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Failure } from '../../application/failures.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { nextTurn } from '../runtime/event-loop.js';
import { type PointInHistory, isWithin, readHistoryPage } from '../../application/queries/history.js';
import type { RecordReplay } from '../../projections/shown-records.js';

/** So much is replayed before other work has its turn. */
const portion = { events: 50, bytes: 250_000 };

/**
 * A record as it stood at a point of its history, made from the events until then; null when it had not begun, or does
 * not reach that revision.
 */
export const recordAt =
  <View>(
    store: EventStore,
    stream: string,
    until: PointInHistory,
    replay: RecordReplay<View>,
  ): TaskEither<Failure, View | null> =>
  async () => {
    for (let after = -1; ;) {
      const page = await readHistoryPage(store, stream, after, portion.events, portion.bytes)();
      if (E.isLeft(page)) return page;
      const within = page.right.filter((event) => isWithin(event, until));
      within.forEach(replay.take);
      after = within.at(-1)?.revision ?? after;
      if (within.length < page.right.length || page.right.length === 0)
        return E.right(until.kind === 'revision' && after < until.revision ? null : replay.view());
      await nextTurn();
    }
  };
