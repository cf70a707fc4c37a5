import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { type MediaParts, getAudio, expectOk, createMedia } from '../support/e2e/media.js';

const words = [{ speaker_id: 1, start: 0, end: 2, text: 'Hello, this is Ada Lovelace.' }];

describe('the field of an audio that says whether names can be inferred', () => {
  const api = useTestApi();

  const eligibilityOf = async (parts: MediaParts = {}) => {
    const media = await createMedia(api(), parts);
    const { name_inference, provider_supplied, transcript_replaced } = await getAudio(api(), media);
    return { media, name_inference, provider_supplied, transcript_replaced };
  };

  it('agrees with the answers of the endpoints', async () => {
    const { media, ...ready } = await eligibilityOf({ transcript: words });
    expect(ready).to.deep.equal({
      name_inference: { eligible: true, reasons: [] },
      provider_supplied: false,
      transcript_replaced: false,
    });
    await expectOk(api().admin.post('/v1/accounts/owner/credits', { amount: 10, reason: 'test' }));
    const ask = () =>
      api().owner.post(`${media.audio}/speaker-name-inference/suggestions`, { target_speaker_ids: [1] });
    expect((await ask()).status).to.equal(200);
    await expectOk(api().owner.put(`/v1/audios/${media.audioId}/transcript/replace`, { transcript: words }));
    expect(await getAudio(api(), media)).to.deep.include({
      transcript_replaced: true,
      name_inference: { eligible: false, reasons: ['transcript_replaced'] },
    });
    expect((await ask()).status).to.equal(400);
  });

  it("considers that the video is a meeting: in the list, at a point in time, and in every write's answer", async () => {
    const { media } = await eligibilityOf({ transcript: words, apart: true });
    await expectOk(api().owner.post('/v2/videos', { video_id: 'a-meeting', kind: 'meeting', audio_id: media.audioId }));
    const { body } = await expectOk(api().owner.get(media.audio));
    expect(body).to.deep.include({
      kind: 'upload',
      name_inference: { eligible: false, reasons: ['meeting'] },
    });
    expect((await expectOk(api().owner.get(`${media.audio}?at=2030-01-01`))).body).to.deep.equal(body);
    expect((await expectOk(api().owner.patch(media.audio, {}))).body).to.deep.equal(body);
    const own = { audio_id: 'of-a-meeting', kind: 'meeting' };
    expect((await expectOk(api().owner.post('/v2/audios', own))).body).to.deep.include({
      provider_supplied: false,
      transcript_replaced: false,
      name_inference: { eligible: false, reasons: ['meeting', 'transcript_not_ready'] },
    });
  });
});
