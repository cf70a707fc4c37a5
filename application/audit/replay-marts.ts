import type { MartName, marts, MartRow } from '../../projections/audit/marts/catalogue.js';
import { changeRows } from '../../projections/audit/marts/change-rows.js';
import { standingRows } from '../../projections/audit/marts/standing-rows.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { collectInferences } from '../../projections/audit/marts/inference-rows.js';
import type { EventStore } from '../ports/event-store.js';
import type { OnProgress } from './read-log.js';
import { type ReplayEnd, replayLog } from './replay-log.js';

/** Writes rows of one mart, in order; resolves when it can take more. */
export type WriteMart = <Name extends MartName>(
  name: Name,
  rows: Iterable<MartRow<(typeof marts)[Name]>>,
) => Promise<void>;

/** How many events were replayed, and how many of them have no keys. */
interface ReplayedMarts {
  readonly events: number;
  readonly unreadable: number;
}

/**
 * Replays a log into marts. Rows about changes are written during the replay, rows about the final state at its end.
 * Throws `LogUnreadable`.
 */
export const replayMarts = async (
  store: EventStore,
  end: ReplayEnd,
  write: WriteMart,
  onProgress?: OnProgress,
): Promise<ReplayedMarts> => {
  let matches: Array<MartRow<typeof marts.matches>> = [];
  let names: Array<MartRow<typeof marts.names>> = [];
  const inferences = collectInferences();
  const entries = new Map<string, Position>();
  const flush = async (): Promise<void> => {
    const [newMatches, newNames] = [matches, names];
    [matches, names] = [[], []];
    await write('matches', newMatches);
    await write('names', newNames);
  };
  const { rows, events, unreadable } = await replayLog(
    store,
    end,
    onProgress,
    (models, recorded, project) => {
      const changes = changeRows(models, recorded, project);
      for (const row of changes.matches) matches.push(row);
      for (const row of changes.names) names.push(row);
      inferences.take(recorded);
      if (models.ledger.get(recorded.event_id) !== undefined) entries.set(recorded.event_id, recorded.position);
    },
    flush,
  );
  await flush();
  const ledger = rows.ledger.all();
  await write('inferences', inferences.rows(ledger));
  await write('inference_rows', inferences.results());
  const standing = standingRows(rows, entries);
  await write('videos', standing.videos);
  await write('faces', standing.faces);
  await write('audios', standing.audios);
  await write('speakers', standing.speakers);
  await write('decisions', standing.decisions);
  await write('runs', standing.runs);
  await write('late_writes', standing.late_writes);
  await write('ledger', standing.ledger);
  await write('accounts', standing.accounts);
  await write('keys', standing.keys);
  await write('tags', standing.tags);
  return { events, unreadable };
};
