import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { type MediaParts, createMedia, memoized } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';

const mapping = (face_id: unknown, speaker_id: unknown, name?: unknown) => ({ face_id, speaker_id, name });

describe('PUT speaker-face-match refuses', () => {
  const api = useTestApi();

  const mediaWith = memoized((parts: MediaParts) => createMedia(api(), parts));
  const put = async (mappings: unknown, parts: MediaParts = {}) => {
    const media = await mediaWith(parts);
    return expectNothingWritten(api(), media, () => api().owner.put(media.match, { mappings }));
  };

  it('a request without a key: 401 with a text', async () => {
    const media = await createMedia(api());
    const body = { mappings: [mapping(1, 1)] };
    expectText(await expectNothingWritten(api(), media, () => api().anonymous.put(media.match, body)), 401);
    expectText(await api().anonymous.put(media.match, body, { 'X-API-Key': 'mak_wrong' }), 401);
    expectText(await api().anonymous.put(media.match, body, { Authorization: 'Bearer mak_wrong' }), 401);
    expectText(await api().anonymous.put(media.match, body, { Authorization: 'Basic b3duZXI6' }), 401);
  });

  it('a caller who does not own the video, whatever else its key may do: 401, not 403', async () => {
    const media = await createMedia(api());
    for (const caller of [api().stranger, api().worker, api().mediaWriter])
      expectCode(
        await expectNothingWritten(api(), media, () => caller.put(media.match, { mappings: [mapping(1, 1)] })),
        401,
        'not_authorised',
      );
  });

  it('a video that does not exist: 404', async () => {
    expectCode(
      await api().owner.put('/v2/videos/none/speaker-face-match', { mappings: [mapping(1, 1)] }),
      404,
      'unknown_video',
    );
  });

  it('empty mappings: 400', async () => {
    expectCode(await put([]), 400, 'empty_mappings');
  });

  it('a face that appears twice: 400', async () => {
    expectCode(await put([mapping(1, 1), mapping(1, 2)]), 400, 'duplicate_face_id');
  });

  it('a speaker that appears twice: 400', async () => {
    expectCode(await put([mapping(1, 1), mapping(2, 1)]), 400, 'duplicate_speaker_id');
  });

  it('a video without an audio: 400', async () => {
    expectCode(await put([mapping(1, 1)], { apart: true }), 400, 'audio_missing');
  });

  it('a face that is not in the video: 404 InvalidFace', async () => {
    for (const face of [99, -1, 1e300]) expectCode(await put([mapping(1, 1), mapping(face, 2)]), 404, 'InvalidFace');
  });

  it('a speaker that is not in the audio: 404 InvalidSpeaker', async () => {
    for (const speaker of [99, -1, 1e300])
      expectCode(await put([mapping(1, 1), mapping(2, speaker)]), 404, 'InvalidSpeaker');
  });

  for (const videoStatus of [null, 'queue', 'processing', 'failed'] as const)
    it(`a video whose processing is ${videoStatus ?? 'not begun'}: 422`, async () => {
      expectCode(await put([mapping(1, 1)], { videoStatus }), 422, 'video_not_completed');
    });

  it('a body of another shape: 422 with the invalid fields', async () => {
    expectMalformed(await put(undefined), 'mappings');
    expectMalformed(await put(null), 'mappings');
    expectMalformed(await put({}), 'mappings');
    expectMalformed(await put([null]), 'mappings[0]');
    expectMalformed(await put([{}]), 'mappings[0].face_id', 'mappings[0].speaker_id');
    expectMalformed(await put([mapping(1, 1), mapping('2', 2)]), 'mappings[1].face_id');
    expectMalformed(await put([mapping(1, 1.5)]), 'mappings[0].speaker_id');
    expectMalformed(await put([mapping(1, 1, 7)]), 'mappings[0].name');
    expectMalformed(await put([mapping(1, 1, 'x'.repeat(501))]), 'mappings[0].name');
  });

  it('a whole batch if one item is invalid', async () => {
    expectCode(await put([mapping(1, 1, 'Kept Out'), mapping(2, 2), mapping(3, 99)]), 404, 'InvalidSpeaker');
  });

  describe('in the order of the contract', () => {
    it('the key before the video, the video before the owner, the owner before the body', async () => {
      const media = await createMedia(api());
      const unknown = '/v2/videos/none/speaker-face-match';
      expectText(await api().anonymous.put(unknown, { mappings: 1 }), 401);
      expectCode(await api().stranger.put(unknown, { mappings: 1 }), 404, 'unknown_video');
      expectCode(await api().stranger.put(media.match, { mappings: 1 }), 401, 'not_authorised');
      expectCode(await api().stranger.put(media.match, { mappings: [] }), 401, 'not_authorised');
    });

    it('the shape before any 400', async () => {
      expectMalformed(await put([mapping(1, 1), mapping(1, 'x')], { apart: true }), 'mappings[1].speaker_id');
    });

    it('any 400 before the state of the video', async () => {
      expectCode(await put([], { videoStatus: 'processing' }), 400, 'empty_mappings');
      expectCode(await put([mapping(1, 1), mapping(1, 2)], { videoStatus: 'failed' }), 400, 'duplicate_face_id');
      expectCode(await put([mapping(1, 1)], { videoStatus: null, apart: true }), 400, 'audio_missing');
    });

    it('any 400 before the faces and speakers of the body', async () => {
      expectCode(await put([mapping(99, 1), mapping(99, 2)]), 400, 'duplicate_face_id');
      expectCode(await put([mapping(99, 99)], { apart: true }), 400, 'audio_missing');
      expectCode(await put([mapping(-1, 1), mapping(-1, 2)]), 400, 'duplicate_face_id');
      expectCode(await put([mapping(-1, -1)], { videoStatus: 'processing' }), 422, 'video_not_completed');
    });

    it('the key before a body that is not JSON', async () => {
      const media = await createMedia(api());
      expectText(await api().anonymous.raw('PUT', media.match, '{'), 401);
    });
  });

  it('and works afterwards', async () => {
    expect((await api().anonymous.get('/readyz')).status).to.equal(200);
  });
});
