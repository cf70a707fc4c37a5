import type { NameAnswer, NameQuestion } from '../../../application/ports/name-model.js';
import type { Utterance } from '../../../domain/audio/speech.js';
import { mergeAnswers } from '../merge-answers.js';
import type { KnownName } from './reading.js';
import { propose } from './propose.js';
import { wordCount } from './word-count.js';

/** About so many characters are looked at together: what people say in two hours. */
const longestPart = 150_000;

/** An utterance in pieces that are no longer than a part, cut between words where there are any. */
const pieces = (utterance: Utterance): ReadonlyArray<Utterance> => {
  const { text } = utterance;
  const found: Utterance[] = [];
  for (let from = 0; from < text.length || found.length === 0;) {
    const space = text.length - from > longestPart ? text.lastIndexOf(' ', from + longestPart) : -1;
    const end = space > from ? space + 1 : from + longestPart;
    found.push({ ...utterance, text: text.slice(from, end) });
    from = end;
  }
  return found;
};

const partsOf = (transcript: NameQuestion['transcript']): ReadonlyArray<ReadonlyArray<Utterance>> => {
  const parts: Utterance[][] = [];
  let left = 0;
  for (const utterance of transcript.flatMap(pieces)) {
    if (left <= 0) {
      parts.push([]);
      left = longestPart;
    }
    parts.at(-1)?.push(utterance);
    left -= utterance.text.length;
  }
  return parts.length === 0 ? [[]] : parts;
};

/**
 * Names and roles that a transcript gives to the targets. One that is longer than what people say in two hours is looked at in
 * parts, so that its words need not be in memory all at once; what several parts propose is for grounding to judge.
 */
export const proposeInParts = (question: NameQuestion, isKnown: KnownName): NameAnswer => {
  const answers = partsOf(question.transcript).map((transcript) => propose({ ...question, transcript }, isKnown));
  const [only, ...others] = answers;
  if (only !== undefined && others.length === 0) return only;
  return { ...mergeAnswers(answers), total_tokens: wordCount(question.transcript) };
};
