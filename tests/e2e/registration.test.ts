import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAudio, expectOk, mediaPaths, getVideo } from '../support/e2e/media.js';

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
});
