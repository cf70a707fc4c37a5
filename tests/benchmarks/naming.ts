import * as E from 'fp-ts/lib/Either.js';
import { embeddedNameModel } from '../../adapters/name-model/embedded/embedded-name-model.js';
import { startThreads } from '../../adapters/runtime/threads.js';
import type { Conversation } from './naming/conversations.js';
import { groundedRows, questionAbout } from './naming/grounded-rows.js';
import { longCall } from './naming/long-call.js';
import { readSets } from './naming/read-sets.js';
import { scoreHeader, scoreLine } from './naming/score-table.js';
import { type Score, scoreOf, total } from './naming/scoring.js';
import { quick } from './support/figures.js';

/** Names and roles by the embedded model, through grounding; the rules were developed with both halves of each set. */
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
for (const [name, conversations] of Object.entries(readSets())) {
  const scores = await Promise.all(conversations.map(scored));
  console.log(scoreLine(name, scores.length, total(scores)));
  if (scores.length > 6)
    for (const half of ['even', 'odd'] as const) {
      const part = scores.filter((_, at) => (at % 2 === 0) === (half === 'even'));
      console.log(scoreLine(`  ${half} half`, part.length, total(part)));
    }
}

const runs = quick ? 3 : 31;
const call = longCall();
const times: number[] = [];
for (let run = 0; run < runs; run += 1) {
  const start = performance.now();
  groundedRows(call, (await answerTo(call)).proposals);
  times.push(performance.now() - start);
}
const words = (await answerTo(call)).total_tokens;
const median = times.sort((one, other) => one - other)[Math.floor(runs / 2)] ?? 0;
console.log(`${words} words, ${call.truth.size} speakers, with grounding: median ${median.toFixed(1)} ms`);
await threads.close();
