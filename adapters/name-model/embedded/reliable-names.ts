import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { grouped } from './weigh.js';
import type { Reading } from './reading.js';
import type { Turn } from './turns.js';
import { isSameWord } from './full-names.js';
import type { Mention } from './mentions.js';

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
  const bySpeaker = grouped(mentions, ({ speaker }) => speaker);
  const sure = [...found].filter(([speaker, name]) => !isDoubtful(name, bySpeaker.get(speaker) ?? []));
  return new Map(sure.map(([speaker, name]) => [speaker, mostFrequentForm(name, bySpeaker.get(speaker) ?? [])]));
};

/** The hundred most common surnames of the 1990 US census, which speech recognisers spell correctly. */
const commonSurnames: ReadonlySet<string> = new Set(
  `
  smith johnson williams jones brown davis miller wilson moore taylor anderson thomas jackson white harris
  martin thompson garcia martinez robinson clark rodriguez lewis lee walker hall allen young hernandez king
  wright lopez hill scott green adams baker gonzalez nelson carter mitchell perez roberts turner phillips
  campbell parker evans edwards collins stewart sanchez morris rogers reed cook morgan bell murphy bailey rivera
  cooper richardson cox howard ward torres peterson gray ramirez james watson brooks kelly sanders price bennett
  wood barnes ross henderson coleman jenkins perry powell long patterson hughes flores washington butler simmons
  foster gonzales bryant alexander russell griffin diaz hayes
`
    .trim()
    .split(/\s+/u),
);

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
