import type { SpeakerId } from '../../../domain/kernel/ids.js';
import type { Mention } from './mention.js';
import type { Reading } from './reading.js';
import type { Turn } from './turns.js';
import { commonSurnames } from './common-surnames.js';

/** Words that occur more than once and always with a capital. */
const repeatedNames = (turns: readonly Turn[], { isSlip }: Reading): ReadonlySet<string> => {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const { tokens } of turns)
    for (const { text, lower } of tokens) if (/^\p{Lu}/u.test(text)) (once.has(lower) ? again : once).add(lower);
  return new Set([...again].filter((word) => !isSlip(word)));
};

/**
 * The reliable parts of names in a noisy transcript. A surname that occurs once is dropped unless it is very common,
 * because it may be misspelled. A name whose first word is unknown and occurs once is dropped.
 */
export const sureForms = (
  found: ReadonlyMap<SpeakerId, Mention>,
  turns: readonly Turn[],
  reading: Reading,
): ReadonlyMap<SpeakerId, Mention> => {
  const repeated = repeatedNames(turns, reading);
  const isRepeated = (word: string): boolean => repeated.has(word.toLowerCase());
  const isCommon = (word: string): boolean =>
    commonSurnames.has(word.toLowerCase()) && !reading.isSlip(word.toLowerCase());
  const isAnothers = (first: string, by: SpeakerId): boolean =>
    [...found].some(([speaker, { words }]) => speaker !== by && words[0]?.toLowerCase() === first.toLowerCase());
  return new Map(
    [...found].flatMap(([speaker, mention]): readonly (readonly [SpeakerId, Mention])[] => {
      const [first = '', ...rest] = mention.words;
      if (rest.every((word) => isRepeated(word) || isCommon(word))) return [[speaker, mention]];
      if (!reading.isKnown(first) && !isRepeated(first)) return [];
      return [[speaker, isAnothers(first, speaker) ? mention : { ...mention, words: [first] }]];
    }),
  );
};
