import { expect } from 'chai';
import * as t from 'io-ts';
import { expectOk, getAudio } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { early, other, renumbering, speech, swapped } from '../support/e2e/renumbering.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { bodyOf } from '../support/http-client.js';

const Transcript = t.type({ transcript: t.array(t.type({ speaker_id: t.number, text: t.string })) });
const Events = t.type({ events: t.array(t.type({ type: t.string, data: t.UnknownRecord })) });

describe('a newer analysis that numbers differently', () => {
  const api = useTestApi();
  const { analyseAudio, twoOfEach, name, swapSpeakers, swapFaces, speakersOf } = renumbering(api);
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
