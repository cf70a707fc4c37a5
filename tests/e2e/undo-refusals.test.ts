import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getHistory } from '../support/e2e/history.js';
import { type Media, expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten } from '../support/e2e/refusal.js';
import type { HttpAnswer } from '../support/http-client.js';

const positionOf = ({ headers }: HttpAnswer): string => headers.get('X-Event-Position') ?? 'none';
const reasonOf = ({ body }: HttpAnswer): unknown =>
  typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined;

describe('what cannot be undone', () => {
  const api = useTestApi();
  const revert = (path: string, position: string, body?: unknown) =>
    api().owner.post(`${path}/history/${position}/revert`, body);
  const matched = async (media: Media): Promise<string> =>
    positionOf(await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] })));
  const refusedFor = async (media: Media, path: string, position: string, reason: string): Promise<void> => {
    const answer = await expectNothingWritten(api(), media, () => revert(path, position));
    expectCode(answer, 409, 'not_revertible');
    expect(reasonOf(answer)).to.include({ reason });
  };

  it('is a change of media of others, also with MEDIA_WRITE: 401', async () => {
    const media = await createMedia(api());
    const position = await matched(media);
    for (const path of [media.video, media.audio]) {
      const at = `${path}/history/${position}/revert`;
      for (const client of [api().stranger, api().mediaWriter, api().worker, api().anonymous])
        expect((await client.post(at)).status).to.equal(401);
    }
    for (const client of [api().stranger, api().mediaWriter, api().anonymous])
      expect((await client.delete(`${media.video}/faces/1/match`)).status).to.equal(401);
    expect((await api().mediaWriter.patch(media.video, { title: 'x' })).status).to.equal(401);
    expect((await api().admin.post(`${media.video}/history/${position}/revert`)).status).to.equal(200);
  });

  it('is an event that is not of the record: 404', async () => {
    const media = await createMedia(api());
    const other = await createMedia(api());
    const position = await matched(media);
    for (const wrong of ['x', '1', '9999999999999999', '99999999999999999999', await matched(other)])
      expectCode(await revert(media.video, wrong), 404, 'unknown_event');
    expectCode(await revert(media.audio, position), 404, 'unknown_event');
    expectCode(await api().owner.post('/v2/videos/none/history/1/revert'), 404, 'unknown_video');
    expectCode(await api().owner.post('/v2/audios/none/history/1/revert'), 404, 'unknown_audio');
  });

  it('is anything with an invalid body (422) or with another revision (412)', async () => {
    const media = await createMedia(api());
    const position = await matched(media);
    expectMalformed(await revert(media.video, position, { dry_run: 'yes' }), 'dry_run');
    const at = `${media.video}/history/${position}/revert`;
    for (const dry_run of [true, false])
      expectCode(await api().owner.post(at, { dry_run }, { 'If-Match': '"0"' }), 412, 'revision_changed');
    expect((await api().owner.post(at, { dry_run: null })).status).to.equal(200);
  });

  it('is a registration, an analysis, a transcript, a trigger or suggestions: 409 with the reason', async () => {
    const media = await createMedia(api());
    const [registered, linked, analysed] = await getHistory(api().owner, media.video);
    await refusedFor(media, media.video, registered?.position ?? '', 'registration');
    await refusedFor(media, media.video, linked?.position ?? '', 'link');
    await refusedFor(media, media.video, analysed?.position ?? '', 'analysis');
    const analysis = (await getHistory(api().owner, media.audio)).at(-1);
    await refusedFor(media, media.audio, analysis?.position ?? '', 'analysis');
    const traits = await expectOk(
      api().worker.put(`${media.video}/faces/1/personality-traits`, { personality_traits: { calm: 1 } }),
    );
    await refusedFor(media, media.video, positionOf(traits), 'personality_data');
    const replaced = await expectOk(
      api().owner.put(`/v1/audios/${media.audioId}/transcript/replace`, { transcript: [] }),
    );
    await refusedFor(media, media.audio, positionOf(replaced), 'transcript');
    const triggered = await expectOk(api().owner.post(media.suggestions));
    await refusedFor(media, media.video, positionOf(triggered), 'trigger');
    const stored = await expectOk(api().worker.put(media.writeBack, { status: 'completed', matches: [] }));
    await refusedFor(media, media.video, positionOf(stored), 'suggestions');
  });

  it('is a merge or a deletion of speakers, faces included', async () => {
    const media = await createMedia(api());
    await matched(media);
    const merge = await expectOk(api().owner.post(`${media.audio}/speakers/merge`, { from: 1, into: 3 }));
    await refusedFor(media, media.audio, positionOf(merge), 'merge');
    await refusedFor(media, media.video, positionOf(merge), 'merge');
    const deleted = await expectOk(api().owner.delete(`${media.audio}/speakers/3`));
    await refusedFor(media, media.video, positionOf(deleted), 'deletion');
  });

  it('is a change that was already undone, or was changed since: 409', async () => {
    const media = await createMedia(api());
    const position = await matched(media);
    await expectOk(revert(media.video, position));
    const again = await expectNothingWritten(api(), media, () => revert(media.video, position));
    expectCode(again, 409, 'nothing_to_revert');
    expectCode(await revert(media.video, position, { dry_run: true }), 409, 'nothing_to_revert');
    const faces = `/v1/videos/${media.videoId}/faces/names`;
    const named = positionOf(await expectOk(api().owner.put(faces, [{ face_id: 1, name: 'Ann' }])));
    await expectOk(api().owner.put(faces, [{ face_id: 1, name: 'Bea' }]));
    const late = await revert(media.video, named);
    expectCode(late, 409, 'nothing_to_revert');
    expect(reasonOf(late)).to.deep.include({ changed_since: [{ record: 'face', id: 1, fields: ['name'] }] });
  });

  it('is a run that changed no face, was undone, or whose faces have fresh personality data', async () => {
    const media = await createMedia(api());
    const none = await expectOk(api().worker.put(media.writeBack, { status: 'completed', matches: [] }));
    expectCode(await revert(media.video, positionOf(none)), 409, 'nothing_to_revert');
    const matches = [{ face_id: 1, speaker_id: 1, accuracy: 0.9 }];
    const { body } = await expectOk(api().worker.put(media.writeBack, { status: 'completed', matches }));
    const run = typeof body === 'object' && body !== null && 'run_id' in body ? String(body.run_id) : '';
    const at = `${media.runs}/${run}/revert`;
    await expectOk(api().worker.put(`${media.video}/faces/1/personality-traits`, { personality_traits: { fresh: 1 } }));
    const kept = await expectNothingWritten(api(), media, () => api().owner.post(at));
    expectCode(kept, 409, 'nothing_to_revert');

    const other = await createMedia(api());
    const second = await expectOk(api().worker.put(other.writeBack, { status: 'completed', matches }));
    const name =
      typeof second.body === 'object' && second.body !== null && 'run_id' in second.body ? second.body.run_id : '';
    const undo = `${other.runs}/${String(name)}/revert`;
    const dry = await expectOk(api().owner.post(undo, { dry_run: true }));
    expect(dry.body).to.deep.equal({ run_id: name, status: 'reverted', reverted: [1], changed_since: [] });
    const two = await Promise.all([api().owner.post(undo), api().owner.post(undo, { dry_run: null })]);
    expect(two.map(({ status }) => status)).to.have.members([200, 409]);
    expect(two.find(({ status }) => status === 200)?.body).to.deep.equal(dry.body);
  });
});
