import * as E from 'fp-ts/lib/Either.js';
import type { NameQuestion, TokenRange } from '../../../application/ports/name-model.js';
import { estimateTokens } from './estimate-tokens.js';
import { chunkTranscript } from './chunk-transcript.js';
import { answerFormat, dataBlock, instructions } from './prompt.js';

/** The part of the context that is reserved for the answer: a share, and at least this many tokens per speaker. */
const answerShare = 1 / 4;
const answerPerSpeaker = 150;
/** With less room the chunks would be too small to be useful. */
const minRoom = 512;

const preamble = ({ target_speaker_ids, speakers }: NameQuestion): string =>
  [`Name these speakers: ${target_speaker_ids.join(', ')}`, dataBlock('speakers', speakers)].join('\n');

const roomFor = (question: NameQuestion, contextTokens: number): number => {
  const asked = [instructions(question.infer_roles), preamble(question), JSON.stringify(answerFormat(true))];
  const answer = Math.max(contextTokens * answerShare, question.target_speaker_ids.length * answerPerSpeaker);
  return contextTokens - answer - estimateTokens(asked.join('\n'));
};

/**
 * The bodies of the requests for a question: one for each chunk of the transcript, each with all speakers; none for an
 * empty transcript. Fails if the context has no room for a transcript.
 */
export const requestBodies = (
  question: NameQuestion,
  model: string,
  contextTokens: number,
): E.Either<string, ReadonlyArray<string>> => {
  if (question.transcript.length === 0) return E.right([]);
  const room = roomFor(question, contextTokens);
  if (room < minRoom) return E.left(`a context of ${contextTokens} tokens has no room for the transcript`);
  const system = { role: 'system', content: instructions(question.infer_roles) };
  const rest = { temperature: 0, response_format: answerFormat(question.infer_roles) };
  const chunks = chunkTranscript(question.transcript, room);
  const bodies: string[] = [];
  for (const [index, lines] of chunks.entries()) {
    const part = chunks.length === 1 ? [] : [`Part ${index + 1} of ${chunks.length} of the transcript:`];
    const content = [preamble(question), ...part, dataBlock('transcript', lines)].join('\n');
    bodies.push(JSON.stringify({ model, messages: [system, { role: 'user', content }], ...rest }));
  }
  return E.right(bodies);
};

/** A high estimate of the characters in a token. */
const charactersPerToken = 8;
/** A high estimate of the tokens in an answer for each speaker. */
const mostPerSpeaker = 300;

/** A range for the tokens that a model will report for a question, without its tokeniser. */
export const tokenRange = (question: NameQuestion, model: string, contextTokens: number): TokenRange => {
  const bodies = requestBodies(question, model, contextTokens);
  if (E.isLeft(bodies)) return { least: 0, most: 0 };
  const characters = question.transcript.reduce((sum, { text }) => sum + text.length, 0);
  let most = bodies.right.length * question.target_speaker_ids.length * mostPerSpeaker;
  for (const body of bodies.right) most += estimateTokens(body);
  return { least: Math.floor(characters / charactersPerToken), most };
};
