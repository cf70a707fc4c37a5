import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAudio, expectOk, getFace, createMedia } from '../support/e2e/media.js';
import { expectCode, expectNothingWritten, expectText } from '../support/e2e/refusal.js';

describe('analyses', () => {
  const api = useTestApi();
  const faces = (...list: ReadonlyArray<object>) => ({ status: 'completed', faces: list });
  const speech = (parts: object) => ({ status: 'completed', speakers: [{ speaker_id: 1 }], segments: [], ...parts });

  it('are answered with the status, and how they number differently', async () => {
    const media = await createMedia(api());
    const { body } = await expectOk(api().worker.put(`${media.video}/analysis`, { status: 'processing', faces: [] }));
    expect(body).to.deep.equal({ status: 'processing', renumbered: [], discontinued: [] });
    expect((await expectOk(api().worker.put(`${media.audio}/analysis`, speech({})))).body).to.deep.equal({
      status: 'completed',
      renumbered: [],
      discontinued: [2, 3],
    });
  });

  it('change nothing if they are sent again', async () => {
    const media = await createMedia(api(), { faces: [{ id: 1 }], speakers: [{ speaker_id: 1 }] });
    const tracks = [{ start: 0, end: 10 }];
    const answers = await expectNothingWritten(api(), media, () =>
      Promise.all([
        expectOk(api().worker.put(`${media.video}/analysis`, faces({ tracks, id: 1 }))),
        expectOk(api().worker.put(`${media.audio}/analysis`, speech({}))),
      ]),
    );
    answers.forEach(({ headers }) => expect(headers.get('X-Event-Position')).to.equal(null));
  });

  describe('of personality', () => {
    const personality_traits = { openness: { score: 0.5, notes: ['calm', null] } };

    it('are stored, only by workers', async () => {
      const media = await createMedia(api());
      const path = `${media.video}/faces/1/personality-traits`;
      expect((await expectOk(api().worker.put(path, { personality_traits }))).body).to.deep.equal({
        personality_traits,
      });
      expect((await getFace(api(), media, 1)).personality_traits).to.deep.equal(personality_traits);
      expectCode(await api().owner.put(path, { personality_traits }), 401, 'not_authorised');
      expectText(await api().anonymous.put(path, { personality_traits }), 401);
    });
  });

  describe('of a transcript that is replaced', () => {
    const transcript = [{ speaker_id: 1, start: 0, end: 1, text: 'Hello' }];

    it('make it available; the owner does that', async () => {
      const media = await createMedia(api());
      const path = `/v1/audios/${media.audioId}/transcript/replace`;
      expect(await getAudio(api(), media)).to.include({ transcript_available: false });
      await expectOk(api().owner.put(path, { transcript }));
      expect(await getAudio(api(), media)).to.include({ transcript_available: true });
      await expectNothingWritten(api(), media, () => expectOk(api().owner.put(path, { transcript })));
      expectCode(await api().mediaWriter.put(path, { transcript }), 401, 'not_authorised');
      expectCode(await api().stranger.put(path, {}), 401, 'not_authorised');
      expectText(await api().anonymous.put(path, {}), 401);
    });
  });
});
