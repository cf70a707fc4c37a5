import * as E from 'fp-ts/lib/Either.js';
import { SpeakerRole } from '../kernel/media.js';
import { type Heard, locationOf, passagesOf } from './heard.js';
import type { Proposal } from './proposal.js';
import type { QuoteLocation, RoleReason } from './result-row.js';

interface AcceptedRole {
  readonly role_accepted: true;
  readonly role: SpeakerRole;
  readonly role_quote: string;
  readonly role_quote_location: QuoteLocation;
}
interface RejectedRole {
  readonly role_accepted: false;
  readonly role_reason: RoleReason;
}
export type RoleVerdict = AcceptedRole | RejectedRole;

const rejected = (role_reason: RoleReason): RoleVerdict => ({ role_accepted: false, role_reason });

/** What one proposal's role is worth, whatever its name is worth: its quote must be the speaker's own words. */
export const judgeRole = (proposal: Proposal, stored: SpeakerRole | null, heard: readonly Heard[]): RoleVerdict => {
  if (stored !== null) return rejected('role_already_set');
  const role = SpeakerRole.decode((proposal.role ?? '').trim().toLowerCase());
  if (E.isLeft(role)) return rejected('no_role_proposal');
  const passages = passagesOf((proposal.role_quote ?? '').trim(), heard);
  const own = passages.find((passage) => passage.heard.utterance.speaker_id === proposal.speaker_id);
  if (own === undefined) return rejected(passages.length === 0 ? 'role_quote_not_found' : 'role_wrong_speaker');
  return {
    role_accepted: true,
    role: role.right,
    role_quote: own.quote,
    role_quote_location: locationOf(own.heard),
  };
};
