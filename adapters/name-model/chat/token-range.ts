import * as E from 'fp-ts/lib/Either.js';
import type { NameQuestion, TokenRange } from '../../../application/ports/name-model.js';
import { estimateTokens } from './estimate-tokens.js';
import { requestBodies } from './requests.js';

/** A high estimate of the characters in a token. */
const charactersPerToken = 8;
/** A high estimate of the tokens in an answer for each speaker. */
const answerPerSpeaker = 300;

/** A range for the tokens that a model will report for a question, without its tokeniser. */
export const tokenRange = (question: NameQuestion, model: string, contextTokens: number): TokenRange => {
  const bodies = requestBodies(question, model, contextTokens);
  if (E.isLeft(bodies)) return { least: 0, most: 0 };
  const said = question.transcript.reduce((characters, { text }) => characters + text.length, 0);
  let most = bodies.right.length * question.target_speaker_ids.length * answerPerSpeaker;
  for (const body of bodies.right) {
    most += estimateTokens(body);
  }
  return { least: Math.floor(said / charactersPerToken), most };
};
