import { expect } from 'chai';
import { createMedia, expectOk, getAudio, getFace, getVideo } from '../support/e2e/media.js';
import { expectNothingWritten } from '../support/e2e/refusal.js';
import { useTestApi } from '../support/e2e/test-api.js';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('registering media', () => {
  const api = useTestApi();

  it('returns the record of a video and of an audio, as it is read', async () => {
    const { owner } = api();
    for (const [path, id, body] of [
      ['/v2/videos', 'v:1', { video_id: 'v:1', title: 'A talk' }],
      ['/v2/audios', 'a:1', { audio_id: 'a:1', deal_persons: [{ person_id: 'p1', name: 'Ada Lovelace' }] }],
    ] as const) {
      const made = await expectOk(owner.post(path, body));
      expect(made.body).to.include({ owner_id: 'owner', status: 'queue' });
      expect(made.body).to.have.property('created_at').that.matches(timestamp);
      expect(made.headers.get('ETag')).to.equal('"0"');
      expect(made.headers.get('X-Event-Position')).to.match(/\S/);
      const read = await expectOk(owner.get(`${path}/${encodeURIComponent(id)}`));
      expect(made.body).to.deep.equal(read.body);
    }
  });

  it('generates ids if none are given, and needs no body; null means the same as an absent field', async () => {
    const { owner, worker, admin } = api();
    const nothing = { title: null, kind: null, audio_id: null, video_id: null };
    for (const body of [undefined, {}, nothing])
      for (const path of ['/v2/videos', '/v2/audios']) await expectOk(owner.post(path, body));
    await expectOk(admin.post('/v1/accounts', { account_id: null, name: null }));
    const media = await createMedia(api(), {
      faces: [{ id: 1, name: null, personality_traits: { calm: 1 }, talking: null, captions: null }],
      speakers: [{ speaker_id: 1, name: null, role: null, synthetic: null }],
      analysisFields: { provider_supplied: null, speech_segments: null },
    });
    const faces = [{ id: 1, name: null, personality_traits: null, tracks: [] }];
    await expectOk(worker.put(`${media.video}/analysis`, { status: 'completed', faces }));
    expect(await getFace(api(), media, 1)).to.deep.include({ personality_traits: { calm: 1 } });
    await expectOk(owner.post(media.match, { target_speaker_ids: null }));
    const matches = [{ face_id: 1, speaker_id: 1, accuracy: 0.5, channel: null, evidence: null }];
    await expectOk(worker.put(media.writeBack, { run_id: null, status: null, error: null, matches }));
  });

  it('has details that PATCH changes: null clears a field, an absent field stays, unchanged values write nothing', async () => {
    const media = await createMedia(api());
    const patch = (body?: object) => expectOk(api().owner.patch(media.video, body));
    const media_url = 'https://media.example/call.mp4?part=1';
    expect((await patch({ title: 'A film', media_url })).body).to.deep.equal(await getVideo(api(), media));
    expect((await patch({ title: null })).body).to.deep.include({ title: null, media_url });
    await expectNothingWritten(api(), media, async () => {
      for (const body of [{}, undefined, { media_url }, { title: null }, { other: 1 }])
        expect((await patch(body)).headers.get('X-Event-Position')).to.equal(null);
    });
    await expectOk(api().owner.patch(media.audio, { title: 'Its sound' }));
    expect(await getAudio(api(), media)).to.include({ title: 'Its sound' });
  });

  it('has records that are not sent again to a client that has them: 304', async () => {
    const { video } = await createMedia(api());
    const etag = (await api().owner.get(video)).headers.get('ETag') ?? '';
    const unchanged = await api().owner.get(video, { 'If-None-Match': `"other", ${etag}` });
    expect([unchanged.status, unchanged.text, unchanged.headers.get('ETag')]).to.deep.equal([304, '', etag]);
    await expectOk(api().owner.patch(video, { title: 'Another film' }));
    await expectOk(api().owner.get(video, { 'If-None-Match': etag }));
  });
});
