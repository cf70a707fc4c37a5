import * as E from 'fp-ts/lib/Either.js';
import type { NameQuestion, TokenRange } from '../../../application/ports/name-model.js';
import { estimateTokens } from './estimate-tokens.js';
import { requestBodies } from './requests.js';

/** The most characters that a token stands for, as a rule. */
const longestToken = 8;
/** The most tokens that an answer takes for each speaker asked for. */
const answerPerSpeaker = 300;

/** What a model will report for a question, at least and at most, without its tokeniser. */
export const tokenRange = (question: NameQuestion, model: string, contextTokens: number): TokenRange => {
  const bodies = requestBodies(question, model, contextTokens);
  if (E.isLeft(bodies)) return { least: 0, most: 0 };
  const said = question.transcript.reduce((characters, { text }) => characters + text.length, 0);
  const answers = bodies.right.length * question.target_speaker_ids.length * answerPerSpeaker;
  return {
    least: Math.floor(said / longestToken),
    most: bodies.right.reduce((tokens, body) => tokens + estimateTokens(body), answers),
  };
};
