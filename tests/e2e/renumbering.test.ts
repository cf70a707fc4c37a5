import { expect } from 'chai';
import * as t from 'io-ts';
import { expectOk, getAudio } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { early, late, other, renumbering, sight, speech, swapped } from '../support/e2e/renumbering.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { bodyOf } from '../support/http-client.js';

const Transcript = t.type({ transcript: t.array(t.type({ speaker_id: t.number, text: t.string })) });
const Faces = t.type({
  faces: t.array(t.type({ id: t.number, speaker_id: t.union([t.number, t.null]), personality_traits: t.unknown })),
});
const Events = t.type({ events: t.array(t.type({ type: t.string, data: t.UnknownRecord })) });

describe('a newer analysis that numbers differently', () => {
  const api = useTestApi();
  const { analyseAudio, analyseVideo, twoOfEach, name, map, swapSpeakers, swapFaces, speakersOf, facesOf } =
    renumbering(api);
  const historyOf = async (path: string) => bodyOf(Events, await expectOk(api().owner.get(`${path}/history`))).events;

  it('takes names, roles and deal persons to the voices that have them, and says so', async () => {
    const media = await twoOfEach();
    await name(media, 0, 'Anna');
    await expectOk(api().owner.put(`/v1/audios/${media.audioId}/speakers/roles`, [{ speaker_id: 1, role: 'agent' }]));
    const { body } = await swapSpeakers(media);
    expect(body).to.deep.equal({ status: 'completed', ...swapped });
    expect((await getAudio(api(), media)).speakers).to.deep.equal([
      { speaker_id: 0, name: null, role: 'agent', synthetic: false, deal_person_id: null },
      { speaker_id: 1, name: 'Anna', role: null, synthetic: false, deal_person_id: null },
    ]);
    const [analysis] = (await historyOf(media.audio)).slice(-1);
    expect(analysis?.data['renumbered']).to.deep.equal([
      { from: 1, to: 0, seconds: 20 },
      { from: 0, to: 1, seconds: 38 },
    ]);
  });

  it('states names that stand over those of an analysis, not over those of a person', async () => {
    const stated = (...names: readonly string[]) => ({
      speakers: names.map((text, speaker_id) => ({ speaker_id, name: text })),
    });
    const media = await twoOfEach(stated('Ann', 'Bea'));
    await name(media, 0, 'Anna');
    await swapSpeakers(media, stated('Beatrice', 'Zoe'));
    expect(await speakersOf(media)).to.deep.equal([
      [0, 'Beatrice'],
      [1, 'Anna'],
    ]);
  });

  it('is compared with the last completed analysis, whatever came between', async () => {
    const media = await twoOfEach();
    for (const status of ['processing', 'failed']) {
      const same = { status, renumbered: [], discontinued: [] };
      expect((await swapSpeakers(media, { status })).body).to.deep.equal(same);
      expect((await swapFaces(media, { status })).body).to.deep.equal(same);
    }
    expect((await swapSpeakers(media)).body).to.deep.equal({ status: 'completed', ...swapped });
    expect((await swapFaces(media)).body).to.deep.equal({ status: 'completed', ...swapped });
  });

  it('of the audio is an event of the video too, so that a commit with the numbers of before is refused', async () => {
    const media = await twoOfEach();
    const before = (await expectOk(api().owner.get(media.video))).headers.get('ETag') ?? '';
    const link = { mappings: [{ face_id: 0, speaker_id: 0 }] };
    const key = { 'Idempotency-Key': 'before the renumbering' };
    const answer = await expectOk(api().owner.put(media.match, link, key));
    await swapSpeakers(media);
    const numbers = (await expectOk(api().owner.get(media.video))).headers.get('ETag') ?? '';
    await swapSpeakers(media);
    expect((await expectOk(api().owner.get(media.video))).headers.get('ETag')).to.equal(numbers);
    expect((await api().owner.put(media.match, link, { 'If-Match': before })).status).to.equal(412);
    expect((await facesOf(media))[0]).to.deep.equal([0, 'Face 0', 1]);
    expect((await expectOk(api().owner.put(media.match, link, key))).body).to.deep.equal(answer.body);
    expect((await facesOf(media))[0]).to.deep.equal([0, 'Face 0', 1]);
    const { faces } = bodyOf(
      Faces,
      await expectOk(api().owner.get(`${media.video}?at=${Number(numbers.replaceAll('"', '')) - 1}`)),
    );
    expect(faces[0]).to.deep.include({ id: 0, speaker_id: 0 });
  });

  it('of faces takes matches and personality data along, and ends those of a face that is gone', async () => {
    const media = await twoOfEach();
    const traits = { personality_traits: { openness: 0.5 } };
    await map(media, { face_id: 0, speaker_id: 0 }, { face_id: 1, speaker_id: 1 });
    await expectOk(api().worker.put(`${media.video}/faces/0/personality-traits`, traits));
    expect((await swapFaces(media)).body).to.deep.equal({ status: 'completed', ...swapped });
    const found = async () => bodyOf(Faces, await expectOk(api().owner.get(media.video))).faces;
    expect((await found()).map(({ speaker_id, personality_traits }) => [speaker_id, personality_traits])).to.deep.equal(
      [
        [1, null],
        [0, traits.personality_traits],
      ],
    );
    const gone = await analyseVideo(media, sight({ 1: late }));
    expect(gone.body).to.deep.equal({
      status: 'completed',
      renumbered: [{ from: 0, to: 1 }],
      discontinued: [1],
    });
    expect(
      (await found()).map(({ id, speaker_id, personality_traits }) => [id, speaker_id, personality_traits]),
    ).to.deep.equal([[1, 1, null]]);
  });

  it('keeps the numbers as they are with "align": false', async () => {
    const media = await twoOfEach();
    await name(media, 0, 'Anna');
    const { body } = await swapSpeakers(media, { align: false });
    expect(body).to.deep.equal({ status: 'completed', renumbered: [], discontinued: [] });
    expect(await speakersOf(media)).to.deep.equal([
      [0, 'Anna'],
      [1, null],
    ]);
    expect((await swapFaces(media, { align: false })).body).to.deep.include({ renumbered: [] });
  });

  it('lets a transcript that it does not bring stay, and its words follow their voices', async () => {
    const words = [0, 1].map((speaker_id) => ({ speaker_id, start: 0, end: 1, text: `of ${speaker_id}` }));
    const media = await twoOfEach({ transcript: words });
    const said = async () =>
      bodyOf(Transcript, await expectOk(api().owner.get(`${media.audio}/transcript`))).transcript.map(
        ({ speaker_id, text }) => [speaker_id, text],
      );
    await swapSpeakers(media);
    expect(await said()).to.deep.equal([
      [1, 'of 0'],
      [0, 'of 1'],
    ]);
    await analyseAudio(media, speech({ 0: early, 1: other }));
    expect(await said()).to.deep.equal([[0, 'of 0']]);
    expect((await getAudio(api(), media)).transcript_available).to.equal(true);
  });

  it('with empty lists leaves neither turns nor a transcript, and inference is refused', async () => {
    const words = [{ speaker_id: 0, start: 0, end: 1, text: 'hi' }];
    const media = await twoOfEach({ transcript: words });
    await analyseAudio(media, { status: 'completed', speakers: [{ speaker_id: 0 }], segments: [], transcript: [] });
    expect((await expectOk(api().owner.get(`${media.audio}/segments`))).body).to.deep.include({ segments: [] });
    expectCode(await api().owner.get(`${media.audio}/transcript`), 404, 'transcript_not_found');
    expect((await getAudio(api(), media)).transcript_available).to.equal(false);
    const asked = await api().owner.post(`${media.audio}/speaker-name-inference/suggestions`, {
      target_speaker_ids: [0],
    });
    expect(asked.status).to.equal(400);
  });
});
