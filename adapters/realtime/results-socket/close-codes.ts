import type { Failure } from '../../../application/failures.js';
import { closes } from '../../../application/realtime/close-codes.js';
import type { ResultsRefused } from '../../../application/realtime/open-results.js';

type Close = readonly [code: number, reason: string];

/** The close code and reason of each refusal: one without does not compile. */
const table: Readonly<Record<ResultsRefused['_tag'] | Failure['_tag'], Close>> = {
  ...closes,
  StoreUnavailable: closes.Unavailable,
  AppendTooLarge: closes.Unwritable,
  AppendUnreadable: closes.Unwritable,
  Contention: closes.Unavailable,
  UnreadableEvent: closes.Unreadable,
  MediumErased: closes.NoSuchSession,
};

export const closeFor = ({ _tag }: ResultsRefused | Failure): Close => table[_tag];
