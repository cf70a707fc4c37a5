import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { SuggestionBlock } from '../../domain/video/write-back.js';
import { type Media, createMedia, expectOk, getAudio, getVideo } from '../support/e2e/media.js';
import { commitPath, transcriptOf, useNamingApi } from '../support/e2e/naming.js';
import { expectCode } from '../support/e2e/refusal.js';
import { getRun, matched, runSuggest, triggerCommit, triggerSuggest, writeBack } from '../support/e2e/runs.js';
import { type HttpAnswer, bodyOf } from '../support/http-client.js';
import { findsIntroductions } from '../support/name-model/behaviours.js';

/** When a voice is heard, or a face seen. */
const early = [
  { start: 0, end: 20 },
  { start: 40, end: 58 },
];
const late = [{ start: 20, end: 40 }];
const other = [{ start: 100, end: 130 }];
type Numbered = Readonly<Record<number, typeof early>>;

const speech = (speakers: Numbered, parts: object = {}) => ({
  status: 'completed',
  speakers: Object.keys(speakers).map((id) => ({ speaker_id: Number(id) })),
  segments: Object.entries(speakers).flatMap(([id, times]) =>
    times.map((time) => ({ speaker_id: Number(id), ...time })),
  ),
  ...parts,
});
const sight = (faces: Numbered, parts: object = {}) => ({
  status: 'completed',
  faces: Object.entries(faces).map(([id, tracks]) => ({ id: Number(id), tracks })),
  ...parts,
});
const swapped = {
  status: 'completed',
  renumbered: [
    { from: 1, to: 0 },
    { from: 0, to: 1 },
  ],
  discontinued: [],
};
const same = { renumbered: [], discontinued: [] };

describe('a newer analysis that numbers differently', () => {
  const naming = useNamingApi({ name_model_timeout_seconds: 30 });
  const api = () => naming().api;
  const read = async (path: string): Promise<HttpAnswer> => expectOk(api().owner.get(path));
  const hear = ({ audio }: Media, body: object) => expectOk(api().worker.put(`${audio}/analysis`, body));
  const see = ({ video }: Media, body: object) => expectOk(api().worker.put(`${video}/analysis`, body));
  const swapVoices = (media: Media, parts: object = {}) => hear(media, speech({ 0: late, 1: early }, parts));
  const swapFaces = (media: Media, parts: object = {}) => see(media, sight({ 0: late, 1: early }, parts));
  /** Voice 0 is early and voice 1 late; faces alike. */
  const twoOfEach = async (parts: object = {}): Promise<Media> => {
    const media = await createMedia(api(), { videoStatus: null, audioStatus: null });
    await see(media, sight({ 0: early, 1: late }));
    await hear(media, speech({ 0: early, 1: late }, parts));
    return media;
  };
  const name = ({ audioId }: Media, speaker_id: number, text: string) =>
    expectOk(api().owner.put(`/v1/audios/${audioId}/speakers/names`, [{ speaker_id, name: text }]));
  const namesOf = async (media: Media) => (await getAudio(api(), media)).speakers.map((speaker) => speaker.name);
  const linksOf = async (media: Media) =>
    (await getVideo(api(), media)).faces.map(({ id, speaker_id, accuracy }) => [id, speaker_id, accuracy]);
  const pairsIn = async ({ suggestions }: Media) =>
    bodyOf(SuggestionBlock, await read(suggestions)).mappings.map(({ face_id, speaker_id }) => [face_id, speaker_id]);

  it('takes names, roles and words to the voices that have them, and says so', async () => {
    const words = [0, 1].map((speaker_id) => ({ speaker_id, start: 0, end: 1, text: `of ${speaker_id}` }));
    const media = await twoOfEach({ transcript: words });
    await name(media, 0, 'Anna');
    await expectOk(api().owner.put(`/v1/audios/${media.audioId}/speakers/roles`, [{ speaker_id: 1, role: 'agent' }]));
    expect((await swapVoices(media)).body).to.deep.equal(swapped);
    const nobody = { name: null, role: null, synthetic: false, deal_person_id: null };
    expect((await getAudio(api(), media)).speakers).to.deep.equal([
      { ...nobody, speaker_id: 0, role: 'agent' },
      { ...nobody, speaker_id: 1, name: 'Anna' },
    ]);
    expect((await read(`${media.audio}/history`)).body).to.containSubset({
      events: [{ data: { renumbered: [{ from: 0, to: 1, seconds: 38 }] } }],
    });
    const transcript = `${media.audio}/transcript`;
    expect((await read(transcript)).body).to.containSubset({ transcript: [{ speaker_id: 1, text: 'of 0' }] });
    await hear(media, speech({ 1: early, 0: other }));
    expect((await read(transcript)).text).not.to.include('of 1');
  });

  it('takes matches, their accuracy, personality data, decisions and suggestions to faces and voices', async () => {
    const media = await twoOfEach();
    const traits = { personality_traits: { openness: 0.5 } };
    const decisions = [{ speaker_id: 1, face_id: 0, verdict: 'rejected' }];
    await expectOk(api().owner.post(`${media.match}/decisions`, { decisions }));
    await runSuggest(api(), media, matched(0, 0, 0.75), matched(1, 1, 0.5));
    await writeBack(api(), media, {
      run_id: await triggerCommit(api(), media),
      matches: [matched(0, 0, 0.75), matched(1, 1, 0.5)],
    });
    await expectOk(api().worker.put(`${media.video}/faces/0/personality-traits`, traits));
    await swapVoices(media);
    expect(await pairsIn(media)).to.have.deep.members([
      [0, 1],
      [1, 0],
    ]);
    expect((await swapFaces(media)).body).to.deep.equal(swapped);
    expect(await pairsIn(media)).to.have.deep.members([
      [1, 1],
      [0, 0],
    ]);
    expect(await linksOf(media)).to.deep.equal([
      [0, 0, 0.5],
      [1, 1, 0.75],
    ]);
    expect((await read(media.video)).body).to.containSubset({ faces: [{ id: 1, ...traits }] });
    expect((await read(`${media.match}/decisions`)).body).to.containSubset({
      decisions: [{ speaker_id: 0, face_id: 1, verdict: 'rejected' }],
    });
    expect((await see(media, sight({ 1: late }))).body).to.containSubset({
      renumbered: [{ from: 0, to: 1 }],
      discontinued: [1],
    });
    expect(await linksOf(media)).to.deep.equal([[1, 0, 0.5]]);
  });

  it('keeps the numbers with "align": false and while it is incomplete, and names of people over its own', async () => {
    const stated = (...names: readonly string[]) => ({
      speakers: names.map((text, speaker_id) => ({ speaker_id, name: text })),
    });
    const media = await twoOfEach(stated('Ann', 'Bea'));
    await name(media, 0, 'Anna');
    expect((await swapVoices(media, { status: 'processing' })).body).to.deep.include(same);
    for (const part of [{ status: 'failed' }, { align: false }])
      expect((await swapFaces(media, part)).body).to.deep.include(same);
    expect((await swapVoices(media, stated('Beatrice', 'Zoe'))).body).to.deep.equal(swapped);
    expect(await namesOf(media)).to.deep.equal(['Beatrice', 'Anna']);
  });

  it('translates the answer of a run that was queued before, unless the worker says of which revision it is', async () => {
    const media = await twoOfEach();
    const run_id = await triggerSuggest(api(), media, { target_speaker_ids: [0, 1] });
    await swapVoices(media);
    await writeBack(api(), media, { run_id, matches: [matched(0, 0), matched(1, 1)] });
    expect(await pairsIn(media)).to.have.deep.members([
      [0, 1],
      [1, 0],
    ]);
    const commit = await triggerCommit(api(), media);
    await hear(media, speech({ 0: other, 1: early }));
    const answer = await writeBack(api(), media, { run_id: commit, matches: [matched(0, 0), matched(1, 1)] });
    expect(answer.body).to.deep.equal({
      status: 'committed',
      run_id: commit,
      skipped: [{ face_id: 0, speaker_id: 0, reason: 'speaker_discontinued' }],
    });
    const last = await triggerSuggest(api(), media);
    expect((await getRun(api(), media, last)).video_revision).to.be.a('number');
    await swapVoices(media);
    const video_revision = Number((await read(media.video)).headers.get('ETag')?.replaceAll('"', ''));
    await writeBack(api(), media, { run_id: last, video_revision, matches: [matched(0, 1)] });
    expect(await pairsIn(media)).to.deep.equal([[0, 1]]);
  });

  it('of the audio is an event of the video too, so that a commit with the numbers of before is refused', async () => {
    const media = await twoOfEach();
    const etagOf = async () => (await read(media.video)).headers.get('ETag') ?? '';
    const before = await etagOf();
    const mappings = [{ face_id: 0, speaker_id: 0 }];
    const key = { 'Idempotency-Key': 'before the renumbering' };
    const answer = await expectOk(api().owner.put(media.match, { mappings }, key));
    await swapVoices(media);
    expectCode(await api().owner.put(media.match, { mappings }, { 'If-Match': before }), 412, 'revision_changed');
    const repeated = await expectOk(api().owner.put(media.match, { mappings }, key));
    expect(repeated.body).to.deep.equal(answer.body);
    expect((await linksOf(media))[0]).to.deep.equal([0, 1, null]);
    const revision = Number((await etagOf()).replaceAll('"', ''));
    expect((await read(`${media.video}?at=${revision - 1}`)).body).to.containSubset({
      faces: [{ id: 0, speaker_id: 0 }],
    });
  });

  it('takes inferred names to the voices of now, and to nobody whose voice is gone', async () => {
    const targets = { target_speaker_ids: [0, 1] };
    const transcript = transcriptOf([0, 'Hello, my name is Ada.'], [1, 'Hi Ada, I am Grace.']);
    const media = await twoOfEach({ transcript });
    const gate = new EventEmitter();
    naming().model.play((request, response) => {
      gate.once('answer', () => findsIntroductions(request, response));
      gate.emit('asked');
    }, findsIntroductions);
    const asking = once(gate, 'asked');
    const answer = api().owner.post(commitPath(media), targets);
    await asking;
    await hear(media, speech({ 0: other, 1: early }));
    gate.emit('answer');
    await expectOk(answer);
    expect(await namesOf(media)).to.deep.equal([null, 'Ada']);
  });

  it('with empty lists leaves neither turns nor a transcript', async () => {
    const media = await twoOfEach({ transcript: [{ speaker_id: 0, start: 0, end: 1, text: 'hi' }] });
    await hear(media, { status: 'completed', speakers: [{ speaker_id: 0 }], segments: [], transcript: [] });
    expect((await read(`${media.audio}/segments`)).body).to.deep.include({ segments: [] });
    expectCode(await api().owner.get(`${media.audio}/transcript`), 404, 'transcript_not_found');
    expect((await getAudio(api(), media)).transcript_available).to.equal(false);
  });
});
