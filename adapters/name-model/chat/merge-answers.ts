import type { NameAnswer } from '../../../application/ports/name-model.js';
import type { Proposal } from '../../../domain/grounding/proposal.js';

const keyOf = ({ speaker_id, name, quote, pattern, role, role_quote }: Proposal): string =>
  JSON.stringify([speaker_id, name, quote, pattern, role, role_quote]);

const claimsSomething = (proposal: Proposal): boolean => Object.keys(proposal).length > 1;

/**
 * The answers of a transcript's chunks as one: proposals in order, tokens summed. What an earlier chunk proposed is not
 * repeated, and a chunk's "nothing found" gives way to what any other found. A chunk's own repetitions stay, as those of
 * an undivided transcript do.
 */
export const mergeAnswers = (answers: ReadonlyArray<NameAnswer>): NameAnswer => {
  const claimed = new Set(
    answers.flatMap(({ proposals }) => proposals.filter(claimsSomething).map(({ speaker_id }) => speaker_id)),
  );
  const earlier = new Set<string>();
  const merged = answers.flatMap(({ proposals }) => {
    const fresh = proposals.filter(
      (proposal) => !earlier.has(keyOf(proposal)) && (claimsSomething(proposal) || !claimed.has(proposal.speaker_id)),
    );
    for (const proposal of proposals) earlier.add(keyOf(proposal));
    return fresh;
  });
  return { proposals: merged, total_tokens: answers.reduce((sum, { total_tokens }) => sum + total_tokens, 0) };
};
