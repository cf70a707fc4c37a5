import * as t from 'io-ts';
import { RunId } from './ids.js';

/**
 * How a write-back was attributed to its run: by the run id it carried, by assuming the newest open run, to no open run
 * at all, or by names that resolved the run without a worker.
 */
export const Attribution = t.keyof({ own: null, assumed: null, unattributed: null, name_channel: null }, 'Attribution');
export type Attribution = t.TypeOf<typeof Attribution>;

/** Which run a write-back came from, as far as known. */
export const WriteBackOrigin = t.type({
  attribution: Attribution,
  /** Runs that may have sent it; only the run itself if the write-back carried its id. */
  candidate_run_ids: t.readonlyArray(RunId),
  /** A stale suggest run may have sent it. */
  late_write_suspected: t.boolean,
  /** It carried its run id but arrived after the stale window. */
  late: t.boolean,
});
export type WriteBackOrigin = t.TypeOf<typeof WriteBackOrigin>;

/** Extracts the origin from event data. */
export const originOf = <Origin extends Omit<WriteBackOrigin, 'attribution'> & { readonly attribution: unknown }>({
  attribution,
  candidate_run_ids,
  late_write_suspected,
  late,
}: Origin): Pick<Origin, keyof WriteBackOrigin> => ({ attribution, candidate_run_ids, late_write_suspected, late });

/** The origin of a write-back that certainly came from this run. */
export const certainOrigin = (
  run_id: RunId,
  attribution: 'own' | 'name_channel',
  late: boolean = false,
): WriteBackOrigin => ({ attribution, candidate_run_ids: [run_id], late_write_suspected: false, late });
