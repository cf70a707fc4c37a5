import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAudio, expectOk, createMedia, getVideo } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';

const Records = t.array(t.UnknownRecord);

describe('lists of videos and audios, filtered and sorted', () => {
  const api = useTestApi();

  const found = async (kind: 'video' | 'audio', query: string, client: HttpClient = api().owner) => {
    const Page = t.type({ [`${kind}s`]: Records, next_cursor: t.union([t.string, t.null]) });
    const { [`${kind}s`]: items } = bodyOf(Page, await client.get(`/v2/${kind}s?${query}`));
    return Records.is(items) ? items : [];
  };
  const ids = async (kind: 'video' | 'audio', query: string, client?: HttpClient) =>
    (await found(kind, query, client)).map((record) => record[`${kind}_id`]);

  let afterFirst = '';
  before(async () => {
    const { owner, worker, stranger } = api();
    await expectOk(owner.post('/v2/videos', { video_id: 'one', title: 'Ärger im Büro' }));
    await expectOk(owner.post('/v2/audios', { audio_id: 'one', title: 'Ärger im Büro' }));
    await setTimeout(5);
    afterFirst = new Date().toISOString();
    await setTimeout(5);
    await expectOk(owner.post('/v2/videos', { video_id: 'two', title: 'Zoo' }));
    await expectOk(owner.post('/v2/audios', { audio_id: 'two', video_id: 'two' }));
    await setTimeout(5);
    await expectOk(owner.post('/v2/videos', { video_id: 'three', title: 'bad day' }));
    await expectOk(owner.post('/v2/audios', { audio_id: 'three', title: 'Zoo' }));
    await expectOk(stranger.post('/v2/videos', { video_id: 'other', title: 'Zoo' }));
    await expectOk(worker.put('/v2/videos/one/analysis', { status: 'completed', faces: [] }));
    await expectOk(worker.put('/v2/audios/one/analysis', { status: 'failed', speakers: [], segments: [] }));
    await expectOk(
      owner.post('/v2/videos/two/tags', {
        tags: [
          { key: 'label.mood', value: 'good: very' },
          { key: 'user.n', value: '5' },
        ],
      }),
    );
  });

  it('are filtered by status, title, linked record, and time of registration', async () => {
    expect(await ids('video', 'status=completed')).to.deep.equal(['one']);
    expect(await ids('audio', 'status=failed')).to.deep.equal(['one']);
    expect(await ids('video', 'status=queue')).to.deep.equal(['three', 'two']);
    expect(await ids('video', 'title=%C3%84RGER')).to.deep.equal(['one']);
    expect(await ids('audio', 'title=zo')).to.deep.equal(['three']);
    expect(await ids('video', 'audio_id=two')).to.deep.equal(['two']);
    expect(await ids('audio', 'video_id=two')).to.deep.equal(['two']);
    expect(await ids('video', `created_from=${afterFirst}`)).to.deep.equal(['three', 'two']);
    expect(await ids('audio', `created_to=${afterFirst}`)).to.deep.equal(['one']);
    expect(await ids('video', `created_from=${afterFirst}&title=zoo&status=queue`)).to.deep.equal(['two']);
    expect(await ids('video', 'title=zoo', api().admin)).to.deep.equal(['other', 'two']);
    expect(await ids('video', 'status=failed')).to.deep.equal([]);
  });

  it('are filtered by a tag, split at the first colon, with its value as text or as JSON', async () => {
    for (const tag of ['label.mood:good: very', 'label.mood:"good: very"', 'user.n:5', 'user.n:"5"'])
      expect(await ids('video', `tag=${encodeURIComponent(tag)}`), tag).to.deep.equal(['two']);
    for (const tag of ['label.mood:good', 'label.mood:', 'user.n:6', 'label.none:5'])
      expect(await ids('video', `tag=${encodeURIComponent(tag)}`), tag).to.deep.equal([]);
  });

  it('are sorted: times descending and titles ascending by default; null comes last', async () => {
    expect(await ids('video', 'sort=title')).to.deep.equal(['three', 'two', 'one']);
    expect(await ids('video', 'sort=title&order=desc')).to.deep.equal(['one', 'two', 'three']);
    expect(await ids('audio', 'sort=title')).to.deep.equal(['three', 'one', 'two']);
    expect(await ids('audio', 'sort=title&order=desc')).to.deep.equal(['one', 'three', 'two']);
    expect(await ids('video', 'sort=created_at&order=asc')).to.deep.equal(['one', 'two', 'three']);
    expect(await ids('video', 'order=asc')).to.deep.equal(['one', 'two', 'three']);
    expect(await ids('video', 'sort=updated_at')).to.deep.equal(['two', 'one', 'three']);
  });

  it('include the audios of videos on request', async () => {
    const [two, one] = await found('video', 'expand=audio&title=o&sort=updated_at');
    expect(two).to.deep.equal({
      ...bodyOf(t.UnknownRecord, await api().owner.get('/v2/videos/two')),
      audio: (await expectOk(api().owner.get('/v2/audios/two'))).body,
    });
    expect(one).to.include({ video_id: 'one', audio: null });
    const [plain] = await found('video', 'title=zoo');
    expect(plain).not.to.have.property('audio');
  });

  it('have cursors that are valid only for the same filters and order', async () => {
    const { next_cursor } = bodyOf(
      t.type({ next_cursor: t.string }),
      await api().owner.get('/v2/videos?sort=title&limit=1'),
    );
    expect(await ids('video', `sort=title&limit=2&cursor=${next_cursor}`)).to.deep.equal(['two', 'one']);
    for (const query of ['', 'sort=title&order=desc&', 'sort=title&status=queue&', 'sort=title&expand=audio&'])
      expectCode(await api().owner.get(`/v2/videos?${query}cursor=${next_cursor}`), 400, 'bad_query');
  });

  it('say which videos need review: those with suggestions that nobody has answered', async () => {
    const media = await createMedia(api());
    const waiting = () => ids('video', 'needs_review=true');
    const suggest = async (...pairs: ReadonlyArray<readonly [number, number]>) => {
      await expectOk(api().owner.post(media.suggestions, {}));
      expect(await waiting(), 'while the run is at work').to.deep.equal([]);
      const matches = pairs.map(([face_id, speaker_id]) => ({ face_id, speaker_id, accuracy: 0.8 }));
      await expectOk(api().worker.put(media.writeBack, { matches }));
    };
    expect(await waiting()).to.deep.equal([]);
    await suggest([1, 1], [2, 2]);
    expect(await waiting()).to.deep.equal([media.videoId]);
    expect(await ids('video', 'needs_review=false')).not.to.include(media.videoId);
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }));
    expect(await waiting()).to.deep.equal([media.videoId]);
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 3 }] }));
    expect(await waiting(), 'another speaker was committed').to.deep.equal([]);
    await suggest([1, 1]);
    expect(await waiting(), 'all is committed').to.deep.equal([]);
    await suggest([3, 2]);
    expect(await waiting()).to.deep.equal([media.videoId]);
    const decisions = [{ speaker_id: 2, face_id: 3, verdict: 'rejected' }];
    await expectOk(api().owner.post(`${media.match}/decisions`, { decisions }));
    expect(await waiting(), 'a person said no').to.deep.equal([]);
    await expectOk(api().owner.post(media.suggestions, {}));
    await expectOk(api().worker.put(media.writeBack, { status: 'failed', error: 'x', matches: [] }));
    expect(await waiting(), 'the last run failed').to.deep.equal([]);
    expect((await getVideo(api(), media)).speaker_face_match.status).to.equal('failed');
    expect(await getAudio(api(), media)).to.include({ video_id: media.videoId });
  });
});
