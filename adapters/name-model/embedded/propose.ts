import type { NameAnswer, NameQuestion } from '../../../application/ports/name-model.js';
import type { Proposal } from '../../../domain/grounding/proposal.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { isRealName } from '../../../domain/kernel/names.js';
import { addresses } from './addresses.js';
import { corroborated } from './corroborated.js';
import { withFullNames } from './full-names.js';
import { handOvers } from './hand-overs.js';
import type { Mention } from './mention.js';
import { type KnownWords, type Reading, readingOf } from './reading.js';
import { rolesOf } from './roles.js';
import { type SameName, sameNameIn } from './same-name.js';
import { selfIntroductions } from './self-introductions.js';
import { sureForms } from './sure-forms.js';
import { type Turn, turnsOf } from './turns.js';
import { weighInRounds } from './weigh-in-rounds.js';
import { wordCount } from './word-count.js';

/**
 * Whether a turn reads out a question of somebody else: "Ada Fox asks about the margins." An answer that addresses Ada
 * then does not name the speaker of that turn.
 */
const isReadOut = (turn: Turn, [first = '']: readonly string[], reading: Reading): boolean =>
  turn.tokens.some(({ lower }) => lower === first.toLowerCase()) &&
  selfIntroductions(turn, undefined, reading).every(({ words }) => words[0]?.toLowerCase() !== first.toLowerCase());

/** All evidence for names in a transcript. */
export const mentionsIn = (turns: readonly Turn[], reading: Reading): readonly Mention[] => {
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
export const propose = (question: NameQuestion, words: KnownWords): NameAnswer => {
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
  const proposals = [...new Set(target_speaker_ids)].map((speaker_id): Proposal => {
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
  return { proposals, total_tokens: wordCount(transcript) };
};
