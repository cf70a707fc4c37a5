import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

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
