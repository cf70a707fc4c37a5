import * as E from 'fp-ts/lib/Either.js';
import { embeddedNameModel } from '../../adapters/name-model/in-threads.js';
import { startThreads } from '../../adapters/runtime/threads.js';
import { ground } from '../../domain/grounding/ground.js';
import { type Conversation, readSets } from './naming/read-sets.js';
import { type Score, scoreOf, scoreRow, total } from './naming/scoring.js';

/** Names by the embedded model, through grounding: who are all speakers of a conversation? */
const threads = startThreads();
const model = embeddedNameModel(threads);

const scored = async (conversation: Conversation): Promise<Score> => {
  const { transcript, truth } = conversation;
  const ids = [...truth.keys()];
  const speakers = ids.map((speaker_id) => ({ speaker_id, name: null, role: null, synthetic: false }));
  const question = { transcript, speakers, target_speaker_ids: ids, infer_roles: true };
  const answer = await model.infer(question)();
  if (E.isLeft(answer)) throw new Error(answer.left.reason);
  return scoreOf(conversation, ground({ ...question, video_id: null, proposals: answer.right.proposals }));
};

const rows = [];
for (const [name, conversations] of Object.entries(readSets()))
  rows.push(scoreRow(name, conversations.length, total(await Promise.all(conversations.map(scored)))));
console.table(rows);
await threads.close();
