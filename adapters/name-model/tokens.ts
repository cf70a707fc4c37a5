import * as t from 'io-ts';
import type { NameAnswer } from '../../application/ports/name-model.js';
import type { Proposal } from '../../domain/grounding/proposal.js';

type Transcript = ReadonlyArray<{ readonly text: string }>;

/** The characters of a transcript. */
export const lengthOf = (transcript: Transcript): number =>
  transcript.reduce((length, { text }) => length + text.length, 0);

/** The number of words in a transcript, by which the embedded model is billed. */
export const wordCount = (transcript: Transcript): number =>
  transcript.reduce((words, { text }) => words + (text.match(/\S+/g)?.length ?? 0), 0);

/** A number of tokens: a safe integer, 0 or more. */
export const Tokens = t.refinement(t.number, (count) => Number.isSafeInteger(count) && count >= 0, 'Tokens');

const keyOf = ({ speaker_id, name, quote, pattern, role, role_quote }: Proposal): string =>
  JSON.stringify([speaker_id, name, quote, pattern, role, role_quote]);

const claims = (proposal: Proposal): boolean => Object.keys(proposal).length > 1;

/**
 * Merges the answers for the chunks of a transcript: proposals in order, tokens summed. Proposals of an earlier chunk are
 * not repeated, and "nothing found" is dropped if another chunk found something. Repetitions within a chunk are kept, as
 * for a transcript in one piece.
 */
export const mergeAnswers = (answers: ReadonlyArray<NameAnswer>): NameAnswer => {
  const claimed = answers.map(({ proposals }) => new Set(proposals.filter(claims).map(({ speaker_id }) => speaker_id)));
  const earlier = new Set<string>();
  const merged = answers.flatMap(({ proposals }, chunk) => {
    const foundElsewhere = ({ speaker_id }: Proposal) =>
      claimed.some((speakers, other) => other !== chunk && speakers.has(speaker_id));
    const fresh = proposals.filter(
      (proposal) => !earlier.has(keyOf(proposal)) && (claims(proposal) || !foundElsewhere(proposal)),
    );
    for (const proposal of proposals) earlier.add(keyOf(proposal));
    return fresh;
  });
  return { proposals: merged, total_tokens: answers.reduce((sum, { total_tokens }) => sum + total_tokens, 0) };
};
