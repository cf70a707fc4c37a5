import * as t from 'io-ts';
import { AccountId } from './ids.js';
import { Timestamp } from './timestamp.js';

/** The medium was erased: nothing can be read of it, and nothing written to it. */
export interface MediumErased {
  readonly _tag: 'MediumErased';
  readonly erased_at: Timestamp;
}

/**
 * What the last event of an erased medium's stream says; it is stored in clear. `linked` is the id of the audio that an
 * erased video had, or of the video of an erased audio.
 */
export const Erasure = t.type(
  {
    medium: t.keyof({ video: null, audio: null, realtime_session: null }),
    owner_id: AccountId,
    linked: t.union([t.string, t.null]),
    at: Timestamp,
  },
  'Erasure',
);
export type Erasure = t.TypeOf<typeof Erasure>;

/** A medium after its erasure: whose it was, for those who ask for it. */
export interface Erased {
  readonly _tag: 'Erased';
  readonly owner_id: AccountId;
  readonly erased_at: Timestamp;
}

export const erasedBy = ({ owner_id, at }: Erasure): Erased => ({ _tag: 'Erased', owner_id, erased_at: at });

export const refusalOf = ({ erased_at }: Pick<Erased, 'erased_at'>): MediumErased => ({
  _tag: 'MediumErased',
  erased_at,
});
