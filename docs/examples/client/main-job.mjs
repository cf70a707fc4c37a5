// The main job from a program: import, suggest, wait, commit with an edit, undo, infer names up to a price limit, print the bill.
// Set MEDIA_ANALYSIS_URL, and MEDIA_ANALYSIS_API_KEY to an administrator's key, because it also acts as the worker.
import { readFile } from 'node:fs/promises';
import { MediaAnalysis } from 'media-analysis/client';

const { MEDIA_ANALYSIS_URL: baseUrl = 'http://127.0.0.1:8080', MEDIA_ANALYSIS_API_KEY: apiKey = '' } = process.env;
const client = new MediaAnalysis({ baseUrl, apiKey });
const analysis = (file) => readFile(new URL(file, import.meta.url), 'utf8');
const { account_id } = await client.me.get();

const { video_id } = await client.videos.create({ title: 'An interview' });
const { audio_id } = await client.audios.create({ video_id, title: 'Its sound' });
await client.videos.recordAnalysis(video_id, await analysis('faces.json'));
await client.audios.recordAnalysis(audio_id, await analysis('talk.json'));

const run = await client.runs.wait(await client.matches.suggest(video_id));
if (run.state !== 'completed') throw new Error(`the run is ${run.state}: ${run.error}`);
const block = await client.matches.suggestions(video_id);
for (const { face_id, speaker_id, accuracy } of block.mappings)
  console.log(`suggested: face ${face_id} is speaker ${speaker_id}, ${accuracy}`);

const mappings = block.mappings.map((mapping) =>
  mapping.face_id === 1 ? { ...mapping, name: 'Dr Ada Lovelace' } : mapping,
);
const { position } = (await client.matches.commit(video_id, { ...block, mappings }).withResponse()).response;
if (position === null) throw new Error('nothing was written, because the matches were these already');
const { reverted } = await client.videos.revert(video_id, position);
console.log(`undone: ${reverted.map(({ record, id, fields }) => `${record} ${id} (${fields.join(', ')})`).join('; ')}`);

const priceLimit = 2;
await client.credits.grant(account_id, { amount: 10, reason: 'for the example' });
const request = { target_speaker_ids: [1, 2], max_credits: priceLimit };
const { credits_max } = await client.names.estimate(audio_id, request);
console.log(`names cost at most ${credits_max} credits`);
for (const { speaker_id, name, quote, reason } of await client.names.suggest(audio_id, request))
  console.log(`speaker ${speaker_id}: ${name === undefined ? reason : `${name}, who said “${quote}”`}`);

const bill = await client.credits.usage(account_id, { group_by: 'category' });
for (const { category, charges, amount } of bill.groups)
  console.log(`${category}: ${amount} credits, ${charges} charges`);
