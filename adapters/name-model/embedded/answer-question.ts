import type { NameAnswer, NameQuestion } from '../../../application/ports/name-model.js';
import { loadKnownNames } from './known-names.js';
import { propose } from './propose.js';

const knownNames = loadKnownNames();

/** What a worker thread runs. */
export default async function answerQuestion(question: NameQuestion): Promise<NameAnswer> {
  return propose(question, await knownNames);
}
