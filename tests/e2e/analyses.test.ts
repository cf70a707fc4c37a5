import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAudio, expectOk, getFace, createMedia, getSpeaker, getVideo } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';

const interval = { start: 0, end: 1 };

describe('analyses', () => {
  const api = useTestApi();
  const analyse = async (kind: 'video' | 'audio', body: unknown) => {
    const media = await createMedia(api());
    return expectNothingWritten(api(), media, () => api().worker.put(`${media[kind]}/analysis`, body));
  };
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

  it('are accepted only from workers and admins', async () => {
    const media = await createMedia(api());
    for (const path of [`${media.video}/analysis`, `${media.audio}/analysis`]) {
      expectText(await api().anonymous.put(path, {}), 401);
      for (const caller of [api().owner, api().stranger, api().mediaWriter])
        expectCode(await expectNothingWritten(api(), media, () => caller.put(path, {})), 401, 'not_authorised');
    }
    expectCode(await api().worker.put('/v2/videos/none/analysis', {}), 404, 'unknown_video');
    expectCode(await api().worker.put('/v2/audios/none/analysis', {}), 404, 'unknown_audio');
  });

  it('of a video are refused with each invalid field: 422', async () => {
    const face = (parts: object) => faces({ id: 1, tracks: [], ...parts });
    expectMalformed(await analyse('video', {}), 'status', 'faces');
    expectMalformed(await analyse('video', { status: 'done', faces: [] }), 'status');
    expectMalformed(await analyse('video', faces({ tracks: [] })), 'faces[0].id');
    expectMalformed(await analyse('video', faces({ id: 1 })), 'faces[0].tracks');
    expectMalformed(await analyse('video', face({ tracks: [{ start: 2, end: 1 }] })), 'faces[0].tracks[0]');
    expectMalformed(await analyse('video', face({ tracks: [{ start: -1, end: 1 }] })), 'faces[0].tracks[0]');
    expectMalformed(await analyse('video', face({ tracks: [interval, { start: '0' }] })), 'faces[0].tracks[1].start');
    const talking = [{ ...interval, score: 1.5 }];
    expectMalformed(await analyse('video', face({ talking })), 'faces[0].talking[0].score');
    expectMalformed(await analyse('video', face({ captions: [interval] })), 'faces[0].captions[0].text');
    expectMalformed(await analyse('video', face({ personality_traits: [] })), 'faces[0].personality_traits');
    expectMalformed(await analyse('video', face({ name: 1 })), 'faces[0].name');
  });

  it('of an audio are refused with each invalid field: 422', async () => {
    expectMalformed(await analyse('audio', {}), 'status', 'speakers', 'segments');
    expectMalformed(await analyse('audio', speech({ segments: [{ ...interval }] })), 'segments[0].speaker_id');
    expectMalformed(
      await analyse('audio', speech({ speakers: [{ speaker_id: 1, role: 'boss' }] })),
      'speakers[0].role',
    );
    expectMalformed(await analyse('audio', speech({ provider_supplied: 'yes' })), 'provider_supplied');
    expectMalformed(await analyse('audio', speech({ speech_segments: 1 })), 'speech_segments');
    const transcript = [{ speaker_id: 1, ...interval }];
    expectMalformed(await analyse('audio', speech({ transcript })), 'transcript[0].text');
  });

  it('that contradict themselves are refused: 400', async () => {
    const twice = { id: 1, tracks: [] };
    expectCode(await analyse('video', faces(twice, twice)), 400, 'duplicate_face_id');
    const speakers = [{ speaker_id: 1 }, { speaker_id: 1 }];
    expectCode(await analyse('audio', speech({ speakers })), 400, 'duplicate_speaker_id');
    const segments = [{ speaker_id: 2, ...interval }];
    expectCode(await analyse('audio', speech({ segments })), 400, 'undeclared_speaker');
    const transcript = [{ speaker_id: 2, ...interval, text: 'Hello' }];
    expectCode(await analyse('audio', speech({ transcript })), 400, 'undeclared_speaker');
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

    it('are refused for an unknown face, and if they are not an object', async () => {
      const media = await createMedia(api());
      for (const face of ['99', '-1', '1.5', 'x', '1e0', '99999999999999999999'])
        expectCode(
          await api().worker.put(`${media.video}/faces/${face}/personality-traits`, { personality_traits }),
          404,
          'InvalidFace',
        );
      for (const wrong of [null, [], 'x', 1])
        expectMalformed(
          await api().worker.put(`${media.video}/faces/1/personality-traits`, { personality_traits: wrong }),
          'personality_traits',
        );
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

    it('are refused with other shapes and speakers', async () => {
      const media = await createMedia(api());
      const put = (body: object) =>
        expectNothingWritten(api(), media, () =>
          api().owner.put(`/v1/audios/${media.audioId}/transcript/replace`, body),
        );
      expectMalformed(await put({}), 'transcript');
      expectMalformed(await put({ transcript: [{ speaker_id: 1, start: 0, end: 1 }] }), 'transcript[0].text');
      expectCode(
        await put({ transcript: [{ speaker_id: 9, start: 0, end: 1, text: 'x' }] }),
        400,
        'undeclared_speaker',
      );
      expect(await getSpeaker(api(), media, 1)).to.include({ name: 'Ada Lovelace' });
    });
  });
});
