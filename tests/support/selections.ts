import { AccountId } from '../../domain/kernel/ids.js';
import type { VideoSelection } from '../../projections/queries.js';
import { made } from './values.js';

/** All videos or audios of an owner, or of everybody if null, newest first; `parts` changes the selection. */
export const everyRecord = (owner_id: string | null, parts: Partial<VideoSelection> = {}): VideoSelection => ({
  owner_id: owner_id === null ? null : made(AccountId, owner_id),
  status: null,
  linked_id: null,
  title: null,
  created: { from: null, to: null },
  sort: 'created_at',
  descending: true,
  needs_review: null,
  tag: null,
  with_audio: false,
  ...parts,
});
