import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, expectOk, createMedia } from '../support/e2e/media.js';
import { triggerSuggest } from '../support/e2e/runs.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';

const Page = t.type({
  questions: t.readonlyArray(
    t.type({
      kind: t.literal('link'),
      video_id: t.string,
      audio_id: t.string,
      speaker_id: t.number,
      candidates: t.readonlyArray(t.type({ face_id: t.number, accuracy: t.number })),
      nobody: t.number,
      gain: t.number,
      evidence: t.UnknownRecord,
    }),
  ),
  next_cursor: t.union([t.string, t.null]),
});

describe('GET /v2/review', () => {
  const api = useTestApi();
  const read = async (query: string, client: HttpClient = api().owner) =>
    bodyOf(Page, await client.get(`/v2/review${query}`));
  const askedOf = async (media: Media) =>
    (await read(`?video_id=${media.videoId}`)).questions.map(({ speaker_id }) => speaker_id);

  /** A video whose suggest run found these. */
  const reviewed = async (...matches: ReadonlyArray<readonly [face: number, speaker: number, accuracy: number]>) => {
    const media = await createMedia(api());
    const run_id = await triggerSuggest(api(), media);
    const found = matches.map(([face_id, speaker_id, accuracy]) => ({ face_id, speaker_id, accuracy }));
    await expectOk(api().worker.put(media.writeBack, { run_id, matches: found }));
    return media;
  };

  it('asks what helps most first, and nothing twice', async () => {
    const media = await reviewed([1, 1, 0.6], [2, 2, 0.9]);
    const { questions } = await read(`?video_id=${media.videoId}`);
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
  });

  it('follows decisions without a new run, and their undo', async () => {
    const media = await reviewed([1, 1, 0.6], [2, 2, 0.9]);
    const decisions = [
      { speaker_id: 3, face_id: null, verdict: 'confirmed' },
      { speaker_id: 1, face_id: 2, verdict: 'confirmed' },
    ];
    const answer = await expectOk(api().owner.post(`${media.match}/decisions`, { decisions }));
    expect(await askedOf(media)).to.deep.equal([]);
    const position = answer.headers.get('X-Event-Position') ?? 'none';
    await expectOk(api().owner.post(`${media.video}/history/${position}/revert`));
    expect(await askedOf(media)).to.deep.equal([3, 1, 2]);
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 2 }] }));
    expect(await askedOf(media)).to.deep.equal([3, 1]);
  });

  it('asks nothing about removed speakers, or media that are being analysed', async () => {
    const media = await reviewed([1, 1, 0.6]);
    await expectOk(api().owner.delete(`${media.audio}/speakers/3`));
    expect(await askedOf(media)).to.have.members([1, 2]);
    await expectOk(api().worker.put(`${media.video}/analysis`, { status: 'processing', faces: [] }));
    expect(await askedOf(media)).to.deep.equal([]);
  });

  it('covers all videos of the account, in pages', async () => {
    await reviewed([1, 1, 0.6]);
    await reviewed([1, 1, 0.7]);
    const whole = (await read('?limit=1000')).questions;
    expect(whole.map(({ gain }) => gain)).to.deep.equal(whole.map(({ gain }) => gain).toSorted((a, b) => b - a));
    const paged: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: t.TypeOf<typeof Page> = await read(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...page.questions);
      cursor = page.next_cursor;
    }
    expect(paged).to.deep.equal(whole);
    expect((await read('', api().stranger)).questions).to.deep.equal([]);
    expect((await read('?kind=name')).questions).to.deep.equal([]);
  });
});
