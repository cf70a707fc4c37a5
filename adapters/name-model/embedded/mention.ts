import type { EvidencePattern } from '../../../domain/grounding/evidence-pattern.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import type { Span } from './names.js';
import type { Turn } from './turns.js';

/** One piece of evidence that a speaker has a name. */
export interface Mention {
  readonly speaker: SpeakerId;
  readonly by: SpeakerId;
  readonly words: readonly string[];
  /** Whether a title was said before the name. */
  readonly titled: boolean;
  readonly pattern: EvidencePattern;
  /** The weight of the evidence; about 4 for words that are hardly ambiguous. */
  readonly weight: number;
  /** The quote: the index of the utterance, and the range of characters in it. */
  readonly utterance: number;
  readonly start: number;
  readonly end: number;
}

const [wordsBefore, wordsAfter] = [12, 8];

/** The quote around a name: some words of the same sentence. */
const quoteAround = ({ tokens }: Turn, span: Span): { start: number; end: number; utterance: number } => {
  const utterance = tokens[span.from]?.utterance ?? 0;
  let [from, to] = [span.from, span.to];
  const isInside = (at: number): boolean => tokens[at]?.utterance === utterance;
  while (span.from - from < wordsBefore && isInside(from - 1) && tokens[from - 1]?.ends === false) from -= 1;
  while (to - span.to < wordsAfter && isInside(to) && tokens[to - 1]?.ends === false) to += 1;
  return { utterance, start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 };
};

/** Creates a mention for a name in a turn. */
export const mentionOf = (
  turn: Turn,
  span: Span,
  evidence: Pick<Mention, 'speaker' | 'pattern' | 'weight'>,
): Mention => ({ ...evidence, by: turn.speaker, words: span.words, titled: span.titled, ...quoteAround(turn, span) });
