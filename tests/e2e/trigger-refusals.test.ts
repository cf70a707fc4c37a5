import { useTestApi } from '../support/e2e/test-api.js';
import { type MediaParts, expectOk, createMedia, memoized } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';
import { triggerCommit, matched, triggerSuggest, runSuggest, writeBack } from '../support/e2e/runs.js';

for (const mode of ['suggest', 'commit'] as const)
  describe(`the trigger of a ${mode} run refuses`, () => {
    const api = useTestApi();
    const suffix = mode === 'suggest' ? '/speaker-face-match/suggestions' : '/speaker-face-match';

    const mediaWith = memoized((parts: MediaParts) => createMedia(api(), parts));
    const post = async (body: unknown, parts: MediaParts = {}) => {
      const media = await mediaWith(parts);
      return expectNothingWritten(api(), media, () => api().owner.post(`${media.video}${suffix}`, body));
    };

    it('a request without a key: 401 with a text', async () => {
      const media = await createMedia(api());
      expectText(
        await expectNothingWritten(api(), media, () => api().anonymous.post(`${media.video}${suffix}`, {})),
        401,
      );
    });

    it('a caller who does not own the video: 401', async () => {
      const media = await createMedia(api());
      for (const caller of [api().stranger, api().worker, api().mediaWriter])
        expectCode(
          await expectNothingWritten(api(), media, () => caller.post(`${media.video}${suffix}`, {})),
          401,
          'not_authorised',
        );
    });

    it('a video that does not exist: 404', async () => {
      expectCode(await api().owner.post(`/v2/videos/none${suffix}`, {}), 404, 'unknown_video');
    });

    it('a video without an audio: 400', async () => {
      expectCode(await post({}, { apart: true }), 400, 'audio_missing');
    });

    it('an empty list of targets: 400', async () => {
      expectCode(await post({ target_speaker_ids: [] }), 400, 'empty_target_speaker_ids');
    });

    it('a target that is not in the audio, whatever integer names it: 400', async () => {
      for (const unknown of [99, -1, 1e300])
        expectCode(await post({ target_speaker_ids: [1, unknown] }), 400, 'speaker_not_in_audio');
    });

    it('the removed field target_face_ids, whatever is in it: 422', async () => {
      for (const target_face_ids of [[1], [], null, 'x', 0, false])
        expectMalformed(await post({ target_speaker_ids: [1], target_face_ids }), 'target_face_ids');
    });

    it('a body of another shape: 422', async () => {
      expectMalformed(await post({ target_speaker_ids: 1 }), 'target_speaker_ids');
      expectMalformed(await post({ target_speaker_ids: [1, '2'] }), 'target_speaker_ids[1]');
      expectMalformed(await post({ target_speaker_ids: [0.5] }), 'target_speaker_ids[0]');
      expectMalformed(await post(null), '');
      expectMalformed(await post('text'), '');
    });

    for (const status of [null, 'queue', 'processing', 'failed'] as const) {
      it(`a video whose processing is ${status ?? 'not begun'}: 409`, async () => {
        expectCode(await post({}, { videoStatus: status }), 409, 'video_not_completed');
      });
      it(`an audio whose processing is ${status ?? 'not begun'}: 409`, async () => {
        expectCode(await post({}, { audioStatus: status }), 409, 'audio_not_completed');
      });
    }

    it('a second run while a suggest run is in flight: 409', async () => {
      const media = await createMedia(api());
      await triggerSuggest(api(), media);
      expectCode(
        await expectNothingWritten(api(), media, () => api().owner.post(`${media.video}${suffix}`, {})),
        409,
        'match_run_in_flight',
      );
    });

    it('nothing once the suggest run has ended, successfully or not', async () => {
      const media = await createMedia(api());
      await runSuggest(api(), media, matched(1, 1));
      await expectOk(api().owner.post(`${media.video}${suffix}`, {}));
      const other = await createMedia(api());
      const run_id = await triggerSuggest(api(), other);
      await expectOk(writeBack(api(), other, { run_id, status: 'failed', error: 'no frames' }));
      await expectOk(api().owner.post(`${other.video}${suffix}`, {}));
    });

    it('nothing while a commit run is in progress, because that has no queued_at', async () => {
      const media = await createMedia(api());
      await triggerCommit(api(), media);
      await expectOk(api().owner.post(`${media.video}${suffix}`, {}));
    });

    it('in the order of the contract when several things are wrong', async () => {
      const media = await createMedia(api());
      await triggerSuggest(api(), media);
      const path = `${media.video}${suffix}`;
      const removed = { target_face_ids: [], target_speaker_ids: [] };
      expectText(await api().anonymous.post(`/v2/videos/none${suffix}`, removed), 401);
      expectCode(await api().stranger.post(`/v2/videos/none${suffix}`, removed), 404, 'unknown_video');
      expectCode(await api().stranger.post(path, removed), 401, 'not_authorised');
      expectMalformed(await api().owner.post(path, removed), 'target_face_ids');
      expectCode(await api().owner.post(path, { target_speaker_ids: [] }), 400, 'empty_target_speaker_ids');
      expectCode(await api().owner.post(path, { target_speaker_ids: [99] }), 400, 'speaker_not_in_audio');
      expectCode(await post({ target_speaker_ids: [99] }, { videoStatus: 'queue' }), 400, 'speaker_not_in_audio');
      expectCode(await post({ target_speaker_ids: [] }, { audioStatus: 'queue' }), 400, 'empty_target_speaker_ids');
      expectCode(await post({}, { apart: true, videoStatus: 'processing' }), 400, 'audio_missing');
    });
  });
