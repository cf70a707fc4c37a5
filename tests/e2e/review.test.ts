import { expect } from 'chai';
import * as t from 'io-ts';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { createRecording, grant, suggestPath } from '../support/e2e/naming.js';
import { matched, runSuggest } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';

const Question = t.intersection([
  t.type({ kind: t.string, video_id: t.string, audio_id: t.string, speaker_id: t.number, gain: t.number }),
  t.partial({ names: t.array(t.intersection([t.type({ name: t.string }), t.UnknownRecord])) }),
]);
const Page = t.type({ questions: t.array(Question), next_cursor: t.union([t.string, t.null]) });

/** Names are found by the embedded model. */
describe('GET /v2/review', () => {
  const api = useTestApi();
  before(() => grant(api(), 'owner', 100));

  const page = async (query: string, client: HttpClient = api().owner) =>
    bodyOf(Page, await client.get(`/v2/review?${query}`));
  const questionsOf = async ({ videoId }: Media, query = '') => (await page(`video_id=${videoId}${query}`)).questions;
  const askedOf = async (media: Media, query = '') =>
    (await questionsOf(media, query)).map(({ kind, speaker_id }) => `${kind} ${speaker_id}`);
  const inferred = async () => {
    const media = await createRecording(api());
    await expectOk(api().owner.post(suggestPath(media), { target_speaker_ids: [1, 2, 3] }));
    return media;
  };

  it('asks about links, what helps most first, and follows decisions without a new run', async () => {
    const media = await createMedia(api());
    await runSuggest(api(), media, matched(1, 1, 0.6), matched(2, 2, 0.9));
    const questions = await questionsOf(media);
    expect(questions.map(({ speaker_id, gain }) => [speaker_id, gain])).to.deep.equal([
      [3, 0.5],
      [1, 0.4],
      [2, 0.1],
    ]);
    expect(questions[1]).to.deep.include({
      video_id: media.videoId,
      audio_id: media.audioId,
      candidates: [{ face_id: 1, accuracy: 0.6 }],
      nobody: 0.4,
    });
    const decisions = [{ speaker_id: 2, face_id: 2, verdict: 'confirmed' }];
    await expectOk(api().owner.post(`${media.match}/decisions`, { decisions }));
    expect(await askedOf(media)).to.deep.equal(['link 3', 'link 1']);
    await expectOk(api().owner.delete(`${media.audio}/speakers/3`));
    expect(await askedOf(media)).to.deep.equal(['link 1']);
  });

  it('asks about an inferred name, with its quote, until the speaker has a name', async () => {
    const media = await inferred();
    const first = (await questionsOf(media)).find(({ speaker_id }) => speaker_id === 1);
    expect(first).to.deep.include({ kind: 'name', video_id: media.videoId, audio_id: media.audioId });
    expect(first?.names?.[0]).to.deep.include({
      name: 'Ada Lovelace',
      source: 'inference',
      quote_location: { index: 0, start: 0, end: 5 },
    });
    expect(first?.names?.[0]?.['quote']).to.include('Ada Lovelace');
    await expectOk(api().owner.post(`${media.audio}/speaker-name-inference`, { target_speaker_ids: [1, 2] }));
    expect(await askedOf(media)).to.deep.equal([]);
  });

  it('lists both kinds of all videos of the account together, best first, over pages', async () => {
    const media = await inferred();
    await runSuggest(api(), media, matched(1, 1, 0.97), matched(2, 2, 0.6));
    expect(await askedOf(media)).to.deep.equal(['link 3', 'link 2', 'name 1', 'name 2', 'link 1']);
    expect(await askedOf(media, '&kind=link')).to.have.length(3);
    const whole = (await page('limit=1000')).questions;
    expect(whole.map(({ gain }) => gain)).to.deep.equal(whole.map(({ gain }) => gain).toSorted((a, b) => b - a));
    expect(new Set(whole.map(({ video_id }) => video_id)).size).to.be.greaterThan(1);
    const paged: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: t.TypeOf<typeof Page> = await page(`limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...next.questions);
      cursor = next.next_cursor;
    }
    expect(paged).to.deep.equal(whole);
    expect((await page('', api().stranger)).questions).to.deep.equal([]);
  });
});
