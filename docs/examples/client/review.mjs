// Answers the questions of all videos, the most useful first: one line an answer.
import { createInterface } from 'node:readline/promises';
import { MediaAnalysis } from 'media-analysis/client';

const { MEDIA_ANALYSIS_URL: baseUrl = 'http://127.0.0.1:8080', MEDIA_ANALYSIS_API_KEY: apiKey = '' } = process.env;
const client = new MediaAnalysis({ baseUrl, apiKey });
const terminal = createInterface({ input: process.stdin });
const lines = terminal[Symbol.asyncIterator]();
const done = [];

const answerOf = ({ candidates }, key) => {
  if (key === 'n') return { face_id: null, verdict: 'confirmed' };
  const candidate = candidates[Number(key) - 1];
  return candidate && { face_id: candidate.face_id, verdict: 'confirmed' };
};

const undo = async () => {
  const { video_id, position } = done.pop() ?? {};
  if (position) await client.videos.revert(video_id, position);
  console.log(position ? '  undone' : '  nothing to undo');
};

for (;;) {
  const [question] = await client.review.list({ kind: 'link', limit: 1 }).toArray(1);
  if (question === undefined) break;
  const { video_id, speaker_id, candidates, nobody } = question;
  console.log(`${video_id}: who is speaker ${speaker_id}? (${done.length} answered)`);
  candidates.forEach(({ face_id, accuracy }, at) => console.log(`  ${at + 1}: face ${face_id}, ${accuracy}`));
  console.log(`  n: not to be seen, ${nobody}; u: undo; q: quit`);
  const { value: key = 'q' } = await lines.next();
  if (key === 'q') break;
  const answer = answerOf(question, key);
  if (key === 'u') await undo();
  if (answer === undefined) continue;
  const decisions = [{ speaker_id, ...answer }];
  const { response } = await client.decisions.create(video_id, { decisions }).withResponse();
  done.push({ video_id, position: response.position });
}
console.log(`${done.length} answered`);
terminal.close();
