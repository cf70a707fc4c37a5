import * as t from 'io-ts';
import { nullable } from '../kernel/recorded-event.js';
import { Finite } from '../kernel/json.js';
import { SpeakerId, VideoId } from '../kernel/ids.js';
import { SpeakerRole } from '../kernel/media.js';
import { EvidencePattern } from './evidence-pattern.js';

/** Why a name was rejected, in order of checking. The first applicable reason is reported. */
export const NameReason = t.keyof(
  {
    no_proposal: null,
    quote_not_found: null,
    name_not_in_quote: null,
    wrong_speaker: null,
    not_a_person_name: null,
    duplicate_name: null,
    conflicting_evidence: null,
  },
  'NameReason',
);
export type NameReason = t.TypeOf<typeof NameReason>;

/** Why a role was rejected, in order of checking. */
export const RoleReason = t.keyof(
  { role_already_set: null, no_role_proposal: null, role_quote_not_found: null, role_wrong_speaker: null },
  'RoleReason',
);
export type RoleReason = t.TypeOf<typeof RoleReason>;

/** The utterance that a quote is from: its index in the transcript, and its times. */
export const QuoteLocation = t.type({ index: Finite, start: Finite, end: Finite }, 'QuoteLocation');
export type QuoteLocation = t.TypeOf<typeof QuoteLocation>;

/**
 * The result of one proposal: either `name`, `quote`, `pattern` and `quote_location`, or `reason`. If roles were
 * requested, also `role_accepted` and either `role`, `role_quote` and `role_quote_location`, or `role_reason`.
 */
export const ResultRow = t.intersection(
  [
    t.type({ speaker_id: SpeakerId, video_id: nullable(VideoId) }),
    t.partial({
      name: t.string,
      quote: t.string,
      pattern: EvidencePattern,
      quote_location: QuoteLocation,
      reason: NameReason,
      role_accepted: t.boolean,
      role: SpeakerRole,
      role_quote: t.string,
      role_quote_location: QuoteLocation,
      role_reason: RoleReason,
    }),
  ],
  'ResultRow',
);
export type ResultRow = t.TypeOf<typeof ResultRow>;
