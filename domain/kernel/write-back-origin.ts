import * as t from 'io-ts';
import { RunId } from './ids.js';

/**
 * By what a write-back was booked on its run: the run's own id, the assumption that the newest open run sent it,
 * no open run at all, or names that resolved the run without a worker.
 */
export const Attribution = t.keyof({ own: null, assumed: null, unattributed: null, name_channel: null }, 'Attribution');
export type Attribution = t.TypeOf<typeof Attribution>;

/** What is known of the run that a write-back came from. */
export const WriteBackOrigin = t.type({
  attribution: Attribution,
  /** The runs that could have sent it; the run itself when it answered with its own id. */
  candidate_run_ids: t.readonlyArray(RunId),
  /** A stale suggest run is among those that could have sent it. */
  late_write_suspected: t.boolean,
  /** It came with its own id, but after the stale window. */
  late: t.boolean,
});
export type WriteBackOrigin = t.TypeOf<typeof WriteBackOrigin>;

/** The origin among the data of an event. */
export const originOf = <Origin extends Omit<WriteBackOrigin, 'attribution'> & { readonly attribution: unknown }>({
  attribution,
  candidate_run_ids,
  late_write_suspected,
  late,
}: Origin): Pick<Origin, keyof WriteBackOrigin> => ({ attribution, candidate_run_ids, late_write_suspected, late });

/** The origin of what certainly came from this run. */
export const certainOrigin = (
  run_id: RunId,
  attribution: 'own' | 'name_channel',
  late: boolean = false,
): WriteBackOrigin => ({ attribution, candidate_run_ids: [run_id], late_write_suspected: false, late });
