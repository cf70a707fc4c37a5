import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

/** How a quote tells a name. */
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

/** Where a quote is said, as seen from the speaker that it is to name. */
export type Standpoint = 'own_words' | 'next_turn' | 'elsewhere';

/** The pattern that a model means, however it writes it; null when it is none of ours. */
export const readPattern = (text: string | undefined): EvidencePattern | null => {
  const pattern = EvidencePattern.decode(
    (text ?? '')
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  return E.isRight(pattern) ? pattern.right : null;
};

/** Whether the quote of such a pattern may be said from there. */
export const fits = (pattern: EvidencePattern, standpoint: Standpoint): boolean => {
  switch (pattern) {
    case 'self_introduction':
    case 'sign_off':
      return standpoint === 'own_words';
    case 'introduced_by_other':
    case 'addressed_by_other':
      return standpoint === 'next_turn';
    case 'third_party_mention':
      return standpoint !== 'own_words';
  }
};

/** The pattern of a quote about which the model said none; none can be told from a distance. */
export const derivePattern = (standpoint: Standpoint): EvidencePattern | null => {
  switch (standpoint) {
    case 'own_words':
      return 'self_introduction';
    case 'next_turn':
      return 'addressed_by_other';
    case 'elsewhere':
      return null;
  }
};
