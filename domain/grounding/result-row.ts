import * as t from 'io-ts';
import { nullable, Finite } from '../kernel/recorded-event.js';
import { SpeakerId, VideoId } from '../kernel/ids.js';
import { SpeakerRole } from '../kernel/media.js';
import * as E from 'fp-ts/lib/Either.js';

/** How a quote reveals a name. */
export const EvidencePattern = t.keyof(
  {
    self_introduction: null,
    introduced_by_other: null,
    addressed_by_other: null,
    sign_off: null,
    third_party_mention: null,
  },
  'EvidencePattern',
);
export type EvidencePattern = t.TypeOf<typeof EvidencePattern>;

/** Position of a quote relative to the speaker to be named. */
export type QuotePosition = 'own_words' | 'next_turn' | 'elsewhere';

/** Parses a pattern given by a model, in any spelling; null if unknown. */
export const readPattern = (text: string | undefined): EvidencePattern | null => {
  const pattern = EvidencePattern.decode(
    (text ?? '')
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  return E.isRight(pattern) ? pattern.right : null;
};

/** Whether a pattern is possible for a quote at this position. */
export const fits = (pattern: EvidencePattern, quotePosition: QuotePosition): boolean => {
  switch (pattern) {
    case 'self_introduction':
    case 'sign_off':
      return quotePosition === 'own_words';
    case 'introduced_by_other':
    case 'addressed_by_other':
      return quotePosition === 'next_turn';
    case 'third_party_mention':
      return quotePosition !== 'own_words';
  }
};

/** The default pattern if the model gave none; null if it cannot be derived. */
export const derivePattern = (quotePosition: QuotePosition): EvidencePattern | null => {
  switch (quotePosition) {
    case 'own_words':
      return 'self_introduction';
    case 'next_turn':
      return 'addressed_by_other';
    case 'elsewhere':
      return null;
  }
};

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
