import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getHistory } from '../support/e2e/history.js';
import { getAudio, expectOk, createMedia, getVideo } from '../support/e2e/media.js';
import { expectNothingWritten } from '../support/e2e/refusal.js';

const url = 'https://media.example/call.mp4?part=1';

describe('title and media_url', () => {
  const api = useTestApi();

  it('are changed by PATCH: null clears a field, an absent field stays, unchanged values write nothing', async () => {
    const media = await createMedia(api());
    const both = await expectOk(api().owner.patch(media.video, { title: 'A film', media_url: url }));
    expect(both.body).to.deep.equal(await getVideo(api(), media));
    expect(both.body).to.deep.include({ title: 'A film', media_url: url });
    expect(both.headers.get('ETag')).to.match(/^"\d+"$/);
    expect((await expectOk(api().owner.patch(media.video, { title: null }))).body).to.deep.include({
      title: null,
      media_url: url,
    });
    const before = await getHistory(api().owner, media.video);
    for (const body of [{}, undefined, { media_url: url }, { title: null }, { other: 1 }]) {
      const answer = await expectOk(api().owner.patch(media.video, body));
      expect(answer.headers.get('X-Event-Position')).to.equal(null);
    }
    expect(await getHistory(api().owner, media.video)).to.deep.equal(before);
    await expectOk(api().owner.patch(media.audio, { title: 'Its sound' }));
    expect(await getAudio(api(), media)).to.include({ title: 'Its sound' });
  });

  it('are not sent again to a client that has them: 304', async () => {
    const media = await createMedia(api());
    const etagOf = async (): Promise<string> => (await api().owner.get(media.video)).headers.get('ETag') ?? '';
    const etag = await etagOf();
    const unchanged = await api().owner.get(media.video, { 'If-None-Match': `"other", ${etag}` });
    expect([unchanged.status, unchanged.text, unchanged.headers.get('ETag')]).to.deep.equal([304, '', etag]);
    await expectOk(api().owner.patch(media.video, { title: 'Another film' }));
    expect((await api().owner.get(media.video, { 'If-None-Match': etag })).status).to.equal(200);
    expect(await etagOf()).to.not.equal(etag);
  });
});

describe("DELETE of a face's match", () => {
  const api = useTestApi();

  it('removes speaker, accuracy and personality data, but not the name; a repetition writes nothing', async () => {
    const media = await createMedia(api());
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }));
    await expectOk(api().worker.put(`${media.video}/faces/1/personality-traits`, { personality_traits: { calm: 1 } }));
    const at = `${media.video}/faces/1/match`;
    const face = { id: 1, name: 'Ada Lovelace', speaker_id: null, accuracy: null, personality_traits: null };
    expect((await expectOk(api().owner.delete(at))).body).to.deep.equal({ status: 'completed', face });
    const again = await expectNothingWritten(api(), media, () => api().owner.delete(at));
    expect(again.body).to.deep.equal({ status: 'completed', face });
    expect(again.headers.get('X-Event-Position')).to.equal(null);
  });
});
