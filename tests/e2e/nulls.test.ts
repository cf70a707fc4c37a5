import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { expectOk, getFace, createMedia } from '../support/e2e/media.js';

describe('null in a body', () => {
  const api = useTestApi();

  it('means the same as an absent field', async () => {
    const { owner, worker, admin } = api();
    const nothing = { title: null, kind: null };
    const video = await expectOk(
      owner.post('/v2/videos', { ...nothing, video_id: null, media_url: null, audio_id: null }),
    );
    expect(video.body).to.include({ kind: 'upload', title: null });
    await expectOk(owner.post('/v2/audios', { ...nothing, audio_id: null, video_id: null, deal_persons: null }));
    await expectOk(admin.post('/v1/accounts', { account_id: null, name: null }));
    await expectOk(admin.post('/v1/accounts/owner/keys', { label: null, admin: null, permissions: null }));
    const media = await createMedia(api(), {
      faces: [{ id: 1, name: null, personality_traits: { calm: 1 }, talking: null, captions: null }, { id: 2 }],
      speakers: [{ speaker_id: 1, name: null, role: null, synthetic: null }, { speaker_id: 2 }],
    });
    const again = { id: 1, name: null, personality_traits: null, tracks: [], talking: null };
    await expectOk(
      worker.put(`${media.video}/analysis`, { status: 'completed', faces: [again, { id: 2, tracks: [] }] }),
    );
    expect(await getFace(api(), media, 1)).to.deep.include({ personality_traits: { calm: 1 } });
    const analysis = { speakers: [{ speaker_id: 1 }, { speaker_id: 2 }], segments: [], transcript: null };
    await expectOk(
      worker.put(`${media.audio}/analysis`, {
        status: 'completed',
        ...analysis,
        provider_supplied: null,
        speech_segments: null,
      }),
    );
    await expectOk(owner.post(media.match, { target_speaker_ids: null }));
    await expectOk(
      worker.put(media.writeBack, {
        run_id: null,
        status: null,
        error: null,
        matches: [{ face_id: 1, speaker_id: 1, accuracy: 0.5, channel: null, evidence: null }],
        unmatched_speakers: [{ speaker_id: 2, reason: 'x', candidates: null }],
      }),
    );
    await expectOk(owner.post(`${media.video}/tags`, { tags: [{ key: 'label.a', value: 'x' }], dry_run: null }));
    await expectOk(owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1, name: null }] }));
  });
});
