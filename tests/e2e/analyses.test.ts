import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAudio, expectOk, getFace, createMedia, getVideo } from '../support/e2e/media.js';
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

  it('label faces without a name, and take names, personality data and roles as given', async () => {
    const media = await createMedia(api(), {
      faces: [{ id: 0 }, { id: 7, name: '  ' }, { id: 8, name: 'Ada', personality_traits: { calm: 1 } }],
      speakers: [{ speaker_id: 0 }, { speaker_id: 5, name: 'Bob', role: 'agent', synthetic: true }],
    });
    expect((await getVideo(api(), media)).faces).to.deep.equal([
      { id: 0, name: 'Face 0', speaker_id: null, accuracy: null, personality_traits: null },
      { id: 7, name: 'Face 7', speaker_id: null, accuracy: null, personality_traits: null },
      { id: 8, name: 'Ada', speaker_id: null, accuracy: null, personality_traits: { calm: 1 } },
    ]);
    expect((await getAudio(api(), media)).speakers).to.deep.equal([
      { speaker_id: 0, name: null, role: null, synthetic: false, deal_person_id: null },
      { speaker_id: 5, name: 'Bob', role: 'agent', synthetic: true, deal_person_id: null },
    ]);
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

  it('of a new version keep matches and names that people gave, and drop faces that it does not contain', async () => {
    const media = await createMedia(api());
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1, name: 'Ada King' }] }));
    await expectOk(api().owner.put(`/v1/videos/${media.videoId}/faces/names`, [{ face_id: 2, name: 'Grace' }]));
    const again = faces(...[1, 2].map((id) => ({ id, name: `Machine ${id}`, tracks: [] })));
    await expectOk(api().worker.put(`${media.video}/analysis`, again));
    expect((await getVideo(api(), media)).faces.map(({ id, name }) => [id, name])).to.deep.equal([
      [1, 'Ada King'],
      [2, 'Grace'],
    ]);
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: 1 });
    await expectOk(
      api().worker.put(`${media.audio}/analysis`, speech({ speakers: [{ speaker_id: 1, name: 'Machine' }] })),
    );
    expect((await getAudio(api(), media)).speakers.map(({ name }) => name)).to.deep.equal(['Ada King']);
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
