import * as E from 'fp-ts/lib/Either.js';
import type { NameQuestion } from '../../../application/ports/name-model.js';
import type { InParts } from '../../../domain/kernel/in-parts.js';
import { answerFormat } from './answer-format.js';
import { chunkTranscript } from './chunk-transcript.js';
import { dataBlock } from './data-lines.js';
import { estimateTokens } from './estimate-tokens.js';
import { instructions } from './instructions.js';

/** Of the context, what is kept free for the answer: a share, and at least so much for each speaker asked for. */
const answerShare = 1 / 4;
const answerPerSpeaker = 150;
/** Less room than this would cut the transcript into crumbs. */
const leastRoom = 512;

const preamble = ({ target_speaker_ids, speakers }: NameQuestion): string =>
  [`Name these speakers: ${target_speaker_ids.join(', ')}`, dataBlock('speakers', speakers)].join('\n');

const roomFor = (question: NameQuestion, contextTokens: number): number => {
  const asked = [instructions(question.infer_roles), preamble(question), JSON.stringify(answerFormat(true))];
  const answer = Math.max(contextTokens * answerShare, question.target_speaker_ids.length * answerPerSpeaker);
  return contextTokens - answer - estimateTokens(asked.join('\n'));
};

/**
 * The bodies of the requests that put a question to a model, one for each chunk of the transcript and each with every
 * speaker; none for an empty transcript. Left when the context leaves no room for a transcript.
 */
export function* requestBodies(
  question: NameQuestion,
  model: string,
  contextTokens: number,
): InParts<E.Either<string, ReadonlyArray<string>>> {
  if (question.transcript.length === 0) return E.right([]);
  const room = roomFor(question, contextTokens);
  if (room < leastRoom) return E.left(`a context of ${contextTokens} tokens has no room for the transcript`);
  const system = { role: 'system', content: instructions(question.infer_roles) };
  const rest = { temperature: 0, response_format: answerFormat(question.infer_roles) };
  const chunks = yield* chunkTranscript(question.transcript, room);
  const bodies: string[] = [];
  for (const [index, lines] of chunks.entries()) {
    yield;
    const part = chunks.length === 1 ? [] : [`Part ${index + 1} of ${chunks.length} of the transcript:`];
    const content = [preamble(question), ...part, dataBlock('transcript', lines)].join('\n');
    bodies.push(JSON.stringify({ model, messages: [system, { role: 'user', content }], ...rest }));
  }
  return E.right(bodies);
}
