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

/** The positions at which a quote can have a pattern. */
const positionsOf: Readonly<Record<EvidencePattern, readonly QuotePosition[]>> = {
  self_introduction: ['own_words'],
  introduced_by_other: ['next_turn'],
  addressed_by_other: ['next_turn'],
  sign_off: ['own_words'],
  third_party_mention: ['next_turn', 'elsewhere'],
};

/** The pattern of a quote at a position if the model gave none; null if it cannot be derived. */
const derivedPattern: Readonly<Record<QuotePosition, EvidencePattern | null>> = {
  own_words: 'self_introduction',
  next_turn: 'addressed_by_other',
  elsewhere: null,
};

/** The pattern of a quote at a position, as given or derived; null if a quote there cannot have it. */
export const patternAt = (position: QuotePosition, given: EvidencePattern | null): EvidencePattern | null => {
  const pattern = given ?? derivedPattern[position];
  return pattern !== null && positionsOf[pattern].includes(position) ? pattern : null;
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
