import type { SpeakerId } from '../../../domain/kernel/ids.js';
import type { Mention } from './mention.js';
import type { Reading } from './reading.js';
import type { Turn } from './turns.js';
import { usualSurnames } from './usual-surnames.js';

/** Words that are said again, and always with a capital. */
const repeatedNames = (turns: readonly Turn[], { isSlip }: Reading): ReadonlySet<string> => {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const { tokens } of turns)
    for (const { text, lower } of tokens) if (/^\p{Lu}/u.test(text)) (once.has(lower) ? again : once).add(lower);
  return new Set([...again].filter((word) => !isSlip(word)));
};

/**
 * What a noisy transcript makes sure of each name. A surname that is heard but once may be any that sounds like it, unless
 * it is a very usual one: the first name alone is kept. A first word that nobody knows for a name, and that is said once, is none at all.
 */
export const sureForms = (
  found: ReadonlyMap<SpeakerId, Mention>,
  turns: readonly Turn[],
  reading: Reading,
): ReadonlyMap<SpeakerId, Mention> => {
  const repeated = repeatedNames(turns, reading);
  const isRepeated = (word: string): boolean => repeated.has(word.toLowerCase());
  const isUsual = (word: string): boolean =>
    usualSurnames.has(word.toLowerCase()) && !reading.isSlip(word.toLowerCase());
  const isAnothers = (first: string, by: SpeakerId): boolean =>
    [...found].some(([speaker, { words }]) => speaker !== by && words[0]?.toLowerCase() === first.toLowerCase());
  return new Map(
    [...found].flatMap(([speaker, mention]): readonly (readonly [SpeakerId, Mention])[] => {
      const [first = '', ...rest] = mention.words;
      if (rest.every((word) => isRepeated(word) || isUsual(word))) return [[speaker, mention]];
      if (!reading.isKnown(first) && !isRepeated(first)) return [];
      return [[speaker, isAnothers(first, speaker) ? mention : { ...mention, words: [first] }]];
    }),
  );
};
