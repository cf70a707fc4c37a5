import type { SpeakerId } from '../kernel/ids.js';
import { isBlank } from '../kernel/names.js';
import { derivePattern, type EvidencePattern, fits, readPattern } from './evidence-pattern.js';
import { wordFinder, foldedText, foldedWords } from './folded-words.js';
import { type SpokenUtterance, locationOf, type QuoteMatch, findQuote, quotePosition } from './utterances.js';
import { isPersonName, tidyName } from './person-name.js';
import type { Proposal } from './proposal.js';
import type { NameReason, QuoteLocation } from './result-row.js';
import { replaceLookalikes } from './scripts.js';

export interface AcceptedName {
  readonly name: string;
  readonly quote: string;
  readonly pattern: EvidencePattern;
  readonly quote_location: QuoteLocation;
}
export interface RejectedName {
  readonly reason: NameReason;
}
export type NameVerdict = AcceptedName | RejectedName;

/** A key that is equal for names that look the same. */
export const nameKey = (name: string): string => replaceLookalikes(foldedText(name));

const wordsOf = (text: string): readonly string[] => foldedWords(text).map(({ word }) => word);

/** Whether the quote contains the words of the name; `Anna's` contains `Anna`. */
const isIn = (name: string, quote: string): boolean => {
  const find = wordFinder(wordsOf(name));
  return [quote, quote.replace(/['’‘ʼ＇]s(?!\p{L})/giu, ' s')].some((text) => find(wordsOf(text)) !== null);
};

interface Attribution {
  readonly passage: QuoteMatch;
  readonly pattern: EvidencePattern;
}

/** The first passage whose position fits the pattern. Without a known pattern, it is derived from the position. */
const attribute = (
  passages: readonly QuoteMatch[],
  speaker: SpeakerId,
  given: EvidencePattern | null,
): Attribution | null => {
  for (const passage of passages) {
    const from = quotePosition(passage.heard, speaker);
    const pattern = given ?? derivePattern(from);
    if (pattern !== null && fits(pattern, from)) return { passage, pattern };
  }
  return null;
};

/** Checks one proposed name by itself. `isTaken`: whether another speaker has the name. */
export const judgeName = (
  proposal: Proposal,
  heard: readonly SpokenUtterance[],
  isTaken: (name: string) => boolean,
): NameVerdict => {
  const { speaker_id, name: proposed, quote = '' } = proposal;
  if (proposed === undefined || isBlank(proposed)) return { reason: 'no_proposal' };
  const name = tidyName(proposed);
  const passages = findQuote(quote.trim(), heard);
  if (passages.length === 0) return { reason: 'quote_not_found' };
  if (!isIn(name, quote)) return { reason: 'name_not_in_quote' };
  const attribution = attribute(passages, speaker_id, readPattern(proposal.pattern));
  if (attribution === null) return { reason: 'wrong_speaker' };
  if (!isPersonName(name)) return { reason: 'not_a_person_name' };
  if (isTaken(name)) return { reason: 'duplicate_name' };
  const { passage, pattern } = attribution;
  return { name, quote: passage.quote, pattern, quote_location: locationOf(passage.heard) };
};
