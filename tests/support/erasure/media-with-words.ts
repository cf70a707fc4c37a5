import type { Callers } from '../e2e/test-api.js';
import { type Media, expectOk, createMedia } from '../e2e/media.js';
import { matched, triggerSuggest, runSuggest, writeBack } from '../e2e/runs.js';

/** Words that occur only in one video and its audio. */
export const wordsOf = (mark: string) => ({
  person: `Wilhelmina ${mark}kandl`,
  title: `Quatermass ${mark} Title`,
  utterance: `xylophonic ${mark} utterance`,
  speaker: `Hieronymus ${mark}sang`,
  tagged: `tagged-${mark}-persimmon`,
  videoTitle: `Nosferatu ${mark} Title`,
  caption: `caption ${mark} Zwetschge`,
  trait: `trait-${mark}-stubborn`,
  dealPerson: `Ottokar ${mark}deal`,
  inferred: `Philippa ${mark}son`,
  mistake: `failed for ${mark} reasons`,
  imported: `imported-${mark}-quince`,
  url: `https://media.example/${mark}-clip.mp4`,
});
type Words = ReturnType<typeof wordsOf>;

const createAnalysedMedia = (api: Callers, words: Words): Promise<Media> =>
  createMedia(api, {
    faces: [
      {
        id: 1,
        name: 'Grace Hopper',
        personality_traits: { kind: words.trait },
        captions: [{ start: 0, end: 2, text: words.caption }],
      },
      { id: 2 },
      { id: 3 },
    ],
    speakers: [{ speaker_id: 1, name: words.speaker }, { speaker_id: 2 }, { speaker_id: 3, name: 'Alan Turing' }],
    segments: [{ speaker_id: 1, start: 0, end: 2 }],
    transcript: [
      { speaker_id: 1, start: 0, end: 2, text: `this is a ${words.utterance}` },
      { speaker_id: 2, start: 2, end: 5, text: `Hello, my name is ${words.inferred} and I call about an order.` },
    ],
  });

/** Match runs of every kind: one that is answered, and one that fails and is answered again. */
const run = async (api: Callers, media: Media, { mistake }: Words): Promise<void> => {
  await runSuggest(api, media, matched(1, 3));
  const failing = await triggerSuggest(api, media);
  await expectOk(writeBack(api, media, { run_id: failing, status: 'failed', error: mistake, matches: [] }));
  await expectOk(writeBack(api, media, { run_id: failing, matches: [matched(1, 1)] }));
};

/** Requests whose answers are stored under their `Idempotency-Key` and returned to repetitions. */
export const keyedWrites = ({ owner }: Callers, media: Media, words: Words) => {
  const keyed = (text: string) => ({ 'Idempotency-Key': `${text} of ${media.audioId}` });
  const verdicts = [{ speaker_id: 3, face_id: 1, verdict: 'rejected' }];
  const inference = `${media.audio}/speaker-name-inference/suggestions`;
  return {
    title: () => owner.patch(media.audio, { title: words.title }, keyed('title')),
    videoTitle: () => owner.patch(media.video, { title: words.videoTitle, media_url: words.url }, keyed('video title')),
    match: () => owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 1 }] }, keyed('match')),
    tags: () =>
      owner.post(`${media.video}/tags`, { tags: [{ key: 'label.fruit', value: words.tagged }] }, keyed('tags')),
    decisions: () => owner.post(`${media.match}/decisions`, { decisions: verdicts }, keyed('decisions')),
    inference: () => owner.post(inference, { target_speaker_ids: [2] }, keyed('inference')),
  };
};

/** Creates a video and an audio with the words in every field, some of them in stored answers. */
export const createMediaWithWords = async (api: Callers, words: Words): Promise<Media> => {
  const media = await createAnalysedMedia(api, words);
  const { owner, admin } = api;
  const writes = keyedWrites(api, media, words);
  await expectOk(writes.title());
  await expectOk(writes.videoTitle());
  await run(api, media, words);
  await expectOk(writes.match());
  await expectOk(owner.put(media.match, { mappings: [{ face_id: 3, speaker_id: 2, name: 'Both Together' }] }));
  const renamed = await expectOk(
    owner.put(`/v1/audios/${media.audioId}/speakers/names`, [{ speaker_id: 1, name: words.dealPerson }]),
  );
  await expectOk(owner.post(`${media.audio}/history/${renamed.headers.get('X-Event-Position') ?? ''}/revert`));
  await expectOk(owner.put(`/v1/audios/${media.audioId}/speakers/names`, [{ speaker_id: 1, name: words.person }]));
  await expectOk(writes.tags());
  const provided = [{ key: 'vpm.fruit', value: words.imported }];
  await expectOk(owner.post(`${media.video}/provider-tags`, { source: 'importer.tests', tags: provided }));
  await expectOk(writes.decisions());
  await expectOk(admin.post('/v1/accounts/owner/credits', { amount: 100, reason: 'test' }));
  await expectOk(writes.inference());
  return media;
};
