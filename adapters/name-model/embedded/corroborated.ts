import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { grouped } from './grouped.js';
import type { Mention } from './mention.js';
import { isSameWord } from './same-name.js';

const shareWord = (one: Mention, other: Mention): boolean =>
  one.words.some((word) => other.words.some((another) => isSameWord(word.toLowerCase(), another.toLowerCase())));

/** Whether one passage alone speaks for a name: an address, or an announcement beside which others say other names. */
const isDoubtful = (name: Mention, own: readonly Mention[]): boolean => {
  const [agreeing, others] = [own.filter((one) => shareWord(one, name)), own.filter((one) => !shareWord(one, name))];
  if (new Set(agreeing.map(({ utterance }) => utterance)).size > 1) return false;
  return name.pattern === 'addressed_by_other' || (name.pattern === 'introduced_by_other' && others.length > 0);
};

const first = ({ words }: Mention): string => (words[0] ?? '').toLowerCase();

/** The mention whose first word most passages have, of those that vary the name's: "Christopher Chris" is Chris. */
const usual = (name: Mention, own: readonly Mention[]): Mention => {
  const forms = grouped(
    own.filter((one) => isSameWord(first(one), first(name))),
    first,
  );
  const passages = (form: string): number => new Set(forms.get(form)?.map(({ utterance }) => utterance)).size;
  const best = [...forms.keys()].reduce((one, other) => (passages(other) > passages(one) ? other : one), first(name));
  return best === first(name) ? name : (forms.get(best)?.[0] ?? name);
};

/**
 * The names of a noisy transcript that are heard well enough. What is said to somebody once may sound like many names,
 * and so may an announcement that nothing said afterwards bears out. Of several spellings the most used is taken.
 */
export const corroborated = (
  found: ReadonlyMap<SpeakerId, Mention>,
  mentions: readonly Mention[],
): ReadonlyMap<SpeakerId, Mention> => {
  const said = grouped(mentions, ({ speaker }) => speaker);
  const sure = [...found].filter(([speaker, name]) => !isDoubtful(name, said.get(speaker) ?? []));
  return new Map(sure.map(([speaker, name]) => [speaker, usual(name, said.get(speaker) ?? [])]));
};
