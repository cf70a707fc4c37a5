import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { grouped, weighInRounds, isSameWord, type SameName, sameNameIn, withFullNames } from './weigh.js';
import { type KnownWords, loadKnownWords, type Reading, readingOf } from './reading.js';
import { commonSurnames } from './vocabulary.js';
import { type Turn, turnsOf } from './turns.js';
import { addresses, handOvers, type Mention, selfIntroductions } from './mentions.js';
import type { NameAnswer, NameQuestion } from '../../../application/ports/name-model.js';
import type { Proposal } from '../../../domain/grounding/proposal.js';
import { isRealName } from '../../../domain/kernel/names.js';
import { rolesOf } from './roles.js';
import { wordCount, mergeAnswers } from '../tokens.js';

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
const corroborated = (
  found: ReadonlyMap<SpeakerId, Mention>,
  mentions: readonly Mention[],
): ReadonlyMap<SpeakerId, Mention> => {
  const bySpeaker = grouped(mentions, ({ speaker }) => speaker);
  const sure = [...found].filter(([speaker, name]) => !isDoubtful(name, bySpeaker.get(speaker) ?? []));
  return new Map(sure.map(([speaker, name]) => [speaker, mostFrequentForm(name, bySpeaker.get(speaker) ?? [])]));
};

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
const sureForms = (
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

/**
 * Whether a turn reads out a question of somebody else: "Ada Fox asks about the margins." An answer that addresses Ada
 * then does not name the speaker of that turn.
 */
const isReadOut = (turn: Turn, [first = '']: readonly string[], reading: Reading): boolean =>
  turn.tokens.some(({ lower }) => lower === first.toLowerCase()) &&
  selfIntroductions(turn, undefined, reading).every(({ words }) => words[0]?.toLowerCase() !== first.toLowerCase());

/** All evidence for names in a transcript. */
const mentionsIn = (turns: readonly Turn[], reading: Reading): readonly Mention[] => {
  return turns.flatMap((turn, at) => {
    const [previous, next] = [turns[at - 1], turns[at + 1]];
    const own = selfIntroductions(turn, previous, reading);
    const isOfAbsent = ({ words }: Mention): boolean => previous !== undefined && isReadOut(previous, words, reading);
    const isOthers = (mention: Mention): boolean =>
      !own.some(({ utterance, words }) => utterance === mention.utterance && words.join() === mention.words.join());
    return [
      ...own,
      ...(next === undefined ? [] : handOvers(turn, next.speaker, reading)).filter(isOthers),
      ...(previous === undefined ? [] : addresses(turn, previous.speaker, next?.speaker ?? null, reading)).filter(
        (mention) => isOthers(mention) && !(mention.speaker === previous?.speaker && isOfAbsent(mention)),
      ),
    ];
  });
};

/**
 * Whether another speaker already has a variant of a name, shorter or longer. If another speaker has exactly this name, it
 * is still proposed, and grounding rejects it.
 */
const isAnothers = ({ speakers }: NameQuestion, id: SpeakerId, words: readonly string[], sameName: SameName): boolean =>
  speakers.some(({ speaker_id, name }) => {
    if (speaker_id === id || !isRealName(name)) return false;
    const stored = name.trim().split(/\s+/u);
    return sameName(words, stored) && words.join(' ').toLowerCase() !== stored.join(' ').toLowerCase();
  });

/** Proposes names, and roles if wanted, for the target speakers. */
export const propose = (question: NameQuestion, words: KnownWords): ReadonlyArray<Proposal> => {
  const { transcript, target_speaker_ids, infer_roles } = question;
  const turns = turnsOf(transcript);
  const reading = readingOf(turns, words);
  const sameName = sameNameIn(turns);
  const mentions = mentionsIn(turns, reading);
  const weighed = weighInRounds(mentions, { isKnown: words.isKnown, sameName });
  const full = withFullNames(weighed, turns, reading, sameName);
  const sure = reading.noisy ? sureForms(corroborated(full, mentions), turns, reading) : full;
  const names = new Map([...sure].filter(([id, { words }]) => !isAnothers(question, id, words, sameName)));
  const roles = infer_roles ? rolesOf(transcript) : new Map<never, never>();
  return [...new Set(target_speaker_ids)].map((speaker_id): Proposal => {
    const name = names.get(speaker_id);
    const text = name === undefined ? '' : (transcript[name.utterance]?.text ?? '');
    return {
      speaker_id,
      ...(name === undefined
        ? {}
        : { name: name.words.join(' '), quote: text.slice(name.start, name.end), pattern: name.pattern }),
      ...roles.get(speaker_id),
    };
  });
};

/** The size of a part in characters: about two hours of speech. */
const partLength = 150_000;

const partsOf = (transcript: NameQuestion['transcript']): ReadonlyArray<NameQuestion['transcript']> => {
  const parts: Array<Array<NameQuestion['transcript'][number]>> = [[]];
  let length = 0;
  for (const utterance of transcript) {
    if (length >= partLength) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(utterance);
    length += utterance.text.length;
  }
  return parts;
};

/**
 * Answers a question in a thread. A transcript of more than two hours is processed in parts to limit the memory;
 * contradictions between parts are left to grounding.
 */
export const answerQuestion = async (question: NameQuestion): Promise<NameAnswer> => {
  const words = await loadKnownWords();
  const answers = partsOf(question.transcript).map((transcript) => ({
    proposals: propose({ ...question, transcript }, words),
    total_tokens: wordCount(transcript),
  }));
  return mergeAnswers(answers);
};
