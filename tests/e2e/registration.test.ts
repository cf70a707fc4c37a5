import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getHistory } from '../support/e2e/history.js';
import { getAudio, expectOk, mediaPaths, createMedia, getVideo } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';
import { sendRequest } from '../support/http-client.js';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('registering media', () => {
  const api = useTestApi();

  it('returns the complete video record', async () => {
    const { body, headers } = await expectOk(api().owner.post('/v2/videos', { video_id: 'v:1', title: 'A talk' }));
    const { created_at, updated_at, ...record } = await getVideo(api(), mediaPaths('v:1', ''));
    expect(created_at).to.match(timestamp).and.to.equal(updated_at);
    expect(body).to.deep.equal({ ...record, created_at, updated_at });
    expect(record).to.deep.equal({
      video_id: 'v:1',
      owner_id: 'owner',
      title: 'A talk',
      kind: 'upload',
      media_url: null,
      status: 'queue',
      audio_id: null,
      faces: [],
      speaker_face_match: { status: null, queued_at: null, mode: null, suggestions: null },
      tags: [],
    });
    expect(headers.get('ETag')).to.equal('"0"');
    expect(headers.get('X-Event-Position')).to.match(/\S/);
  });

  it('returns the complete audio record', async () => {
    const deal_persons = [{ person_id: 'p1', name: 'Ada Lovelace' }];
    const { body, headers } = await expectOk(
      api().owner.post('/v2/audios', { audio_id: 'a:1', kind: 'meeting', deal_persons }),
    );
    const { created_at, updated_at, ...record } = await getAudio(api(), mediaPaths('', 'a:1'));
    expect(created_at).to.match(timestamp).and.to.equal(updated_at);
    expect(body).to.deep.equal({ ...record, created_at, updated_at });
    expect(record).to.deep.equal({
      audio_id: 'a:1',
      owner_id: 'owner',
      title: null,
      status: 'queue',
      kind: 'meeting',
      video_id: null,
      speakers: [],
      transcript_available: false,
      provider_supplied: false,
      transcript_replaced: false,
      speech_segments: null,
      manual_name_inference_runs: [],
      name_inference: { eligible: false, reasons: ['meeting', 'transcript_not_ready'] },
    });
    expect(headers.get('ETag')).to.equal('"0"');
  });

  it('generates ids if none are given, and needs no body', async () => {
    for (const path of ['/v2/videos', '/v2/audios']) {
      await expectOk(api().owner.post(path));
      await expectOk(api().owner.post(path, {}));
      await expectOk(api().owner.post(path, { title: null }));
    }
  });

  it('links a video to an existing audio', async () => {
    await expectOk(api().owner.post('/v2/audios', { audio_id: 'a-first' }));
    const { body } = await expectOk(api().owner.post('/v2/videos', { video_id: 'v-second', audio_id: 'a-first' }));
    expect(body).to.deep.include({ audio_id: 'a-first' });
    expect(await getAudio(api(), mediaPaths('', 'a-first'))).to.include({ video_id: 'v-second' });
  });

  it('links an audio to an existing video', async () => {
    await expectOk(api().owner.post('/v2/videos', { video_id: 'v-first' }));
    const { body } = await expectOk(api().owner.post('/v2/audios', { audio_id: 'a-second', video_id: 'v-first' }));
    expect(body).to.deep.include({ video_id: 'v-first' });
    expect(await getVideo(api(), mediaPaths('v-first', ''))).to.include({ audio_id: 'a-second' });
  });

  it('refuses the ids . and .. anywhere in a body: 422; in a path nothing is found', async () => {
    const media = await createMedia(api());
    const { admin, owner, worker } = api();
    for (const id of ['.', '..']) {
      expectMalformed(await owner.post('/v2/videos', { video_id: id }), 'video_id');
      expectMalformed(await owner.post('/v2/videos', { audio_id: id }), 'audio_id');
      expectMalformed(await owner.post('/v2/audios', { audio_id: id }), 'audio_id');
      expectMalformed(await owner.post('/v2/audios', { video_id: id }), 'video_id');
      expectMalformed(await admin.post('/v1/accounts', { account_id: id }), 'account_id');
      expectMalformed(await worker.put(media.writeBack, { run_id: id, matches: [] }), 'run_id');
      for (const path of [`/v2/videos/${id}`, `/v2/audios/${id}`, `/v1/accounts/${id}/credits`])
        for (const sent of [path, path.replaceAll('.', '%2e')]) {
          const headers = { 'X-API-Key': api().world.adminKey };
          expect((await sendRequest(api().world.url(), { path: sent, headers })).status, sent).to.equal(404);
        }
    }
    await expectOk(owner.post('/v2/videos', { video_id: '...' }));
  });

  it('refuses an id that is taken, also by another account: 409', async () => {
    const media = await createMedia(api());
    for (const caller of [api().owner, api().stranger]) {
      const again = { video_id: media.videoId };
      expectCode(await expectNothingWritten(api(), media, () => caller.post('/v2/videos', again)), 409, 'video_exists');
      expectCode(
        await expectNothingWritten(api(), media, () => caller.post('/v2/audios', { audio_id: media.audioId })),
        409,
        'audio_exists',
      );
    }
  });

  it('refuses an audio that does not exist, is not the caller’s, or has a parent', async () => {
    const media = await createMedia(api());
    const apart = await createMedia(api(), { apart: true });
    const video = (audio_id: string) => ({ video_id: 'v-never', audio_id });
    expectCode(await api().owner.post('/v2/videos', video('none')), 400, 'audio_not_found');
    expectCode(await api().stranger.post('/v2/videos', video(apart.audioId)), 400, 'audio_not_found');
    expectCode(
      await expectNothingWritten(api(), media, () => api().owner.post('/v2/videos', video(media.audioId))),
      409,
      'audio_has_parent',
    );
    expectCode(await api().admin.get('/v2/videos/v-never'), 404, 'unknown_video');
  });

  it('refuses a video that does not exist, is not the caller’s, or has an audio', async () => {
    const media = await createMedia(api());
    const audio = (video_id: string) => ({ audio_id: 'a-never', video_id });
    expectCode(await api().owner.post('/v2/audios', audio('none')), 400, 'video_not_found');
    expectCode(await api().stranger.post('/v2/audios', audio(media.videoId)), 400, 'video_not_found');
    expectCode(
      await expectNothingWritten(api(), media, () => api().owner.post('/v2/audios', audio(media.videoId))),
      409,
      'audio_already_associated',
    );
    expectCode(await api().admin.get('/v2/audios/a-never'), 404, 'unknown_audio');
  });

  it('leaves an audio without a parent when the video’s id is taken', async () => {
    const media = await createMedia(api());
    const apart = await createMedia(api(), { apart: true });
    const body = { video_id: media.videoId, audio_id: apart.audioId };
    expectCode(await api().owner.post('/v2/videos', body), 409, 'video_exists');
    expect(await getAudio(api(), apart)).to.include({ video_id: null });
  });

  it('accepts one of many simultaneous requests for the same id, or the same audio', async () => {
    const apart = await createMedia(api(), { apart: true });
    const races = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        api().owner.post('/v2/videos', { video_id: `racer-${n}`, audio_id: apart.audioId }),
      ),
    );
    expect(races.filter(({ status }) => status === 200)).to.have.length(1);
    races.filter(({ status }) => status !== 200).forEach((answer) => expectCode(answer, 409, 'audio_has_parent'));
    const sameId = await Promise.all(
      Array.from({ length: 12 }, () => api().owner.post('/v2/videos', { video_id: 'wanted' })),
    );
    expect(sameId.filter(({ status }) => status === 200)).to.have.length(1);
    expect(await getHistory(api().owner, '/v2/videos/wanted')).to.have.length(1);
  });

  it('refuses invalid ids and other shapes: 422', async () => {
    for (const video_id of ['', ' ', 'a b', 'a/b', '../x', 'ü', 'x'.repeat(129), '\u0000', 7, [], {}, true])
      expectMalformed(await api().owner.post('/v2/videos', { video_id }), 'video_id');
    expectMalformed(await api().owner.post('/v2/videos', { title: 5, kind: 'film' }), 'title', 'kind');
    expectMalformed(await api().owner.post('/v2/videos', { title: 'x'.repeat(10_001) }), 'title');
    expectMalformed(await api().owner.post('/v2/audios', { audio_id: 'a b' }), 'audio_id');
    expectMalformed(await api().owner.post('/v2/audios', { video_id: 'a b' }), 'video_id');
    expectMalformed(await api().owner.post('/v2/audios', { deal_persons: [{}] }), 'deal_persons[0].person_id');
    expectText(await api().anonymous.post('/v2/videos', { video_id: 5 }), 401);
  });
});
