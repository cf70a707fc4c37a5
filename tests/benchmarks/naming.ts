import * as E from 'fp-ts/lib/Either.js';
import { embeddedNameModel } from '../../adapters/name-model/embedded/embedded-name-model.js';
import { startThreads } from '../../adapters/runtime/threads.js';
import type { Conversation } from './naming/read-sets.js';
import { groundedRows, questionAbout } from './naming/grounded-rows.js';
import { readSets } from './naming/read-sets.js';
import { scoreHeader, scoreLine, type Score, scoreOf, total } from './naming/scoring.js';

/** Names by the embedded model, through grounding. */
const threads = startThreads();
const model = embeddedNameModel(threads);

const answerTo = async (conversation: Conversation) => {
  const answer = await model.infer(questionAbout(conversation))();
  if (E.isLeft(answer)) throw new Error(answer.left.reason);
  return answer.right;
};

const scored = async (conversation: Conversation): Promise<Score> =>
  scoreOf(conversation, groundedRows(conversation, (await answerTo(conversation)).proposals));

console.log(scoreHeader);
for (const [name, conversations] of Object.entries(readSets()))
  console.log(scoreLine(name, conversations.length, total(await Promise.all(conversations.map(scored)))));
await threads.close();
