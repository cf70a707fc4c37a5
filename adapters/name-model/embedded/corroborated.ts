import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { grouped } from './grouped.js';
import type { Mention } from './mention.js';
import { isSameWord } from './same-name.js';

const shareWord = (one: Mention, other: Mention): boolean =>
  one.words.some((word) => other.words.some((another) => isSameWord(word.toLowerCase(), another.toLowerCase())));

/** Whether a name rests on a single passage: an address, or an announcement while other passages have other names. */
const isDoubtful = (name: Mention, own: readonly Mention[]): boolean => {
  const [agreeing, others] = [own.filter((one) => shareWord(one, name)), own.filter((one) => !shareWord(one, name))];
  if (new Set(agreeing.map(({ utterance }) => utterance)).size > 1) return false;
  return name.pattern === 'addressed_by_other' || (name.pattern === 'introduced_by_other' && others.length > 0);
};

const first = ({ words }: Mention): string => (words[0] ?? '').toLowerCase();

/** The mention with the most frequent spelling of the first name: "Chris" if most passages have it instead of "Christopher". */
const mostFrequentForm = (name: Mention, own: readonly Mention[]): Mention => {
  const forms = grouped(
    own.filter((one) => isSameWord(first(one), first(name))),
    first,
  );
  const passages = (form: string): number => new Set(forms.get(form)?.map(({ utterance }) => utterance)).size;
  const best = [...forms.keys()].reduce((one, other) => (passages(other) > passages(one) ? other : one), first(name));
  return best === first(name) ? name : (forms.get(best)?.[0] ?? name);
};

/**
 * The reliable names of a noisy transcript. A name that is used once may have been misheard, and so may an announced name
 * that is not confirmed later. Of several spellings the most frequent one is kept.
 */
export const corroborated = (
  found: ReadonlyMap<SpeakerId, Mention>,
  mentions: readonly Mention[],
): ReadonlyMap<SpeakerId, Mention> => {
  const said = grouped(mentions, ({ speaker }) => speaker);
  const sure = [...found].filter(([speaker, name]) => !isDoubtful(name, said.get(speaker) ?? []));
  return new Map(sure.map(([speaker, name]) => [speaker, mostFrequentForm(name, said.get(speaker) ?? [])]));
};
