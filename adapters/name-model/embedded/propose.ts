import type { NameAnswer, NameQuestion } from '../../../application/ports/name-model.js';
import type { Proposal } from '../../../domain/grounding/proposal.js';
import { addresses } from './addresses.js';
import { handOvers } from './hand-overs.js';
import type { Mention } from './mention.js';
import type { KnownName, Reading } from './names.js';
import { rolesOf } from './roles.js';
import { sameNameIn } from './same-name.js';
import { selfIntroductions } from './self-introductions.js';
import { isCased, type Turn, turnsOf } from './turns.js';
import { weigh } from './weigh.js';
import { wordCount } from './word-count.js';

/** All that is said for anybody's name. */
export const mentionsIn = (turns: readonly Turn[], isKnown: KnownName): readonly Mention[] => {
  const reading: Reading = { cased: isCased(turns), isKnown };
  return turns.flatMap((turn, at) => {
    const [previous, next] = [turns[at - 1], turns[at + 1]];
    const own = selfIntroductions(turn, previous, reading);
    const isOthers = (mention: Mention): boolean =>
      !own.some(({ utterance, words }) => utterance === mention.utterance && words.join() === mention.words.join());
    return [
      ...own,
      ...(next === undefined ? [] : handOvers(turn, next.speaker, reading)).filter(isOthers),
      ...(previous === undefined ? [] : addresses(turn, previous.speaker, next?.speaker ?? null, reading)).filter(
        isOthers,
      ),
    ];
  });
};

/** Names, and roles if asked for, that the transcript's own words give to the targets. */
export const propose = (question: NameQuestion, isKnown: KnownName): NameAnswer => {
  const { transcript, target_speaker_ids, infer_roles } = question;
  const turns = turnsOf(transcript);
  const names = weigh(mentionsIn(turns, isKnown), { isKnown, sameName: sameNameIn(turns) });
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
