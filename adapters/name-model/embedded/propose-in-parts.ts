import type { NameAnswer, NameQuestion } from '../../../application/ports/name-model.js';
import { SpeakerId } from '../../../domain/kernel/ids.js';
import type { Utterance } from '../../../domain/audio/speech.js';
import { mergeAnswers } from '../merge-answers.js';
import { unpackTranscript } from '../packed-transcript.js';
import type { PackedQuestion } from './embedded-name-model.js';
import { loadKnownWords } from './known-words.js';
import type { KnownWords } from './reading.js';
import { propose } from './propose.js';
import { wordCount } from './word-count.js';

/** The size of a part in characters: about two hours of speech. */
const maxPartLength = 150_000;

/** An utterance in pieces that are no longer than a part, split between words if possible. */
const pieces = (utterance: Utterance): ReadonlyArray<Utterance> => {
  const { text } = utterance;
  const found: Utterance[] = [];
  for (let from = 0; from < text.length || found.length === 0;) {
    const space = text.length - from > maxPartLength ? text.lastIndexOf(' ', from + maxPartLength) : -1;
    const end = space > from ? space + 1 : from + maxPartLength;
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
      left = maxPartLength;
    }
    parts.at(-1)?.push(utterance);
    left -= utterance.text.length;
  }
  return parts.length === 0 ? [[]] : parts;
};

/**
 * Proposes names and roles. A transcript of more than two hours is processed in parts to limit the memory. Contradictions
 * between parts are left to grounding.
 */
export const proposeInParts = (question: NameQuestion, words: KnownWords): NameAnswer => {
  const answers = partsOf(question.transcript).map((transcript) => propose({ ...question, transcript }, words));
  const [only, ...others] = answers;
  if (only !== undefined && others.length === 0) return only;
  return { ...mergeAnswers(answers), total_tokens: wordCount(question.transcript) };
};

/** Answers a question in a thread. */
export const answerQuestion = async ({ transcript, ...rest }: PackedQuestion): Promise<NameAnswer> =>
  proposeInParts({ ...rest, transcript: unpackTranscript(transcript, SpeakerId.is) }, await loadKnownWords());
