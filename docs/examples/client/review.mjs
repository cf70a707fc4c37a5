// A review tool: asks the questions of all videos, the most useful first, and reads one answer per line.
import { createInterface } from 'node:readline/promises';
import { MediaAnalysis } from 'media-analysis/client';

const { MEDIA_ANALYSIS_URL: baseUrl = 'http://127.0.0.1:8080', MEDIA_ANALYSIS_API_KEY: apiKey = '' } = process.env;
const client = new MediaAnalysis({ baseUrl, apiKey });
const terminal = createInterface({ input: process.stdin });
const lines = terminal[Symbol.asyncIterator]();
const answers = [];

const answerOf = ({ candidates }, key) => {
  if (key === 'n') return { face_id: null, verdict: 'confirmed' };
  const candidate = candidates[Number(key) - 1];
  return candidate && { face_id: candidate.face_id, verdict: 'confirmed' };
};

const undo = async () => {
  const { video_id, position } = answers.pop() ?? {};
  if (position) await client.videos.revert(video_id, position);
  console.log(position ? '  undone' : '  nothing to undo');
};

for (;;) {
  const [question] = await client.review.list({ kind: 'link', limit: 1 }).toArray(1);
  if (question === undefined) break;
  const { video_id, speaker_id, candidates, nobody } = question;
  console.log(`${video_id}: who is speaker ${speaker_id}? (${answers.length} answered)`);
  candidates.forEach(({ face_id, accuracy }, index) => console.log(`  ${index + 1}: face ${face_id}, ${accuracy}`));
  console.log(`  n: not visible, ${nobody}; u: undo; q: quit`);
  const { value: key = 'q' } = await lines.next();
  if (key === 'q') break;
  const answer = answerOf(question, key);
  if (key === 'u') await undo();
  if (answer === undefined) continue;
  const decisions = [{ speaker_id, ...answer }];
  const { response } = await client.decisions.create(video_id, { decisions }).withResponse();
  answers.push({ video_id, position: response.position });
}
console.log(`${answers.length} answered`);
terminal.close();
