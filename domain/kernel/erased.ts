import * as t from 'io-ts';
import type { Tagged } from './decider.js';
import { AccountId } from './ids.js';
import { Timestamp } from './timestamp.js';

/** The medium was erased: it can no longer be read or changed. */
export type MediumErased = Tagged<'MediumErased', { erased_at: Timestamp }>;

/**
 * Data of the last event of an erased medium, stored unencrypted. `linked` is the id of an erased video's audio or of
 * an erased audio's video.
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

/** State of an erased medium. The owner is kept for access checks. */
export type Erased = Tagged<'Erased', { owner_id: AccountId; erased_at: Timestamp }>;

export const erasedBy = ({ owner_id, at }: Erasure): Erased => ({ _tag: 'Erased', owner_id, erased_at: at });

export const refusalOf = ({ erased_at }: Pick<Erased, 'erased_at'>): MediumErased => ({
  _tag: 'MediumErased',
  erased_at,
});
