import * as E from 'fp-ts/lib/Either.js';
import type { LargeBody } from '../http/decode.js';
import { type DocumentTask, tooExpensive } from '../import/provider-documents.js';
import { countJson } from '../runtime/memory.js';
import type { MatchInput } from '../../domain/matching/match-speakers-to-faces.js';
import type { Comparison } from '../match-worker/comparison.js';
import type { NameQuestion } from '../../application/ports/name-model.js';
import type { Grounding } from '../../domain/grounding/ground.js';

/* The script of the threads that `adapters/runtime/threads.ts` starts: a function for each kind of work, whose modules are loaded when it is first called. */

export const readBody = async (body: LargeBody) => (await import('../http/decode.js')).readLarge(body);

/** More values than a document of the largest size that is read at once has. */
const maxDocumentValues = 4_000_000;

const isTooLarge = (bytes: Uint8Array): boolean =>
  /^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 1_000)).toString()) && countJson(bytes).values > maxDocumentValues;

export const readDocument = async ({ bytes, request }: DocumentTask) => {
  if (isTooLarge(bytes)) return E.left(tooExpensive);
  return (await import('../import/read-provider-document.js')).readProviderDocument(bytes, request);
};

export const match = async (input: MatchInput) =>
  (await import('../../domain/matching/match-speakers-to-faces.js')).matchSpeakersToFaces(input);

export const compare = async ({ earlier, newer }: Comparison) =>
  (await import('../../domain/matching/continuations.js')).continuations(earlier, newer);

export const ground = async (grounding: Grounding) =>
  (await import('../../domain/grounding/ground.js')).ground(grounding);

export const proposeNames = async (question: NameQuestion) =>
  (await import('../name-model/embedded/propose.js')).answerQuestion(question);
