import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getHistory, getLastEvent } from '../support/e2e/history.js';
import { type Media, expectOk, getFace, createMedia, getSpeaker, getVideo } from '../support/e2e/media.js';
import { expectNothingWritten } from '../support/e2e/refusal.js';
import { triggerCommit, matched, triggerSuggest, writeBack } from '../support/e2e/runs.js';

const traits = { openness: 0.5 };

describe('PUT speaker-face-match', () => {
  const api = useTestApi();

  const put = (media: Media, ...mappings: ReadonlyArray<object>) =>
    expectOk(api().owner.put(media.match, { mappings }));

  it('answers with completed and the confirmation text, and nothing else', async () => {
    const media = await createMedia(api());
    expect((await put(media, { face_id: 1, speaker_id: 1 })).body).to.deep.equal({
      status: 'completed',
      message: 'Speaker-face matching completed successfully',
    });
  });

  it('is open to admins for the videos of others', async () => {
    const media = await createMedia(api());
    await expectOk(api().admin.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }));
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: 1 });
  });

  for (const name of [undefined, null, '', ' \t\n'])
    it(`with ${JSON.stringify(name) ?? 'no'} name gives a face the speaker's name if it only has a label`, async () => {
      const media = await createMedia(api(), {
        faces: [{ id: 1 }, { id: 2, name: 'Grace Hopper' }, { id: 3, name: 'Face 3' }],
        speakers: [{ speaker_id: 1, name: 'Ada Lovelace' }, { speaker_id: 2, name: 'Alan Turing' }, { speaker_id: 3 }],
      });
      const mappings = [1, 2, 3].map((id) => ({ face_id: id, speaker_id: id, name }));
      await put(media, ...mappings);
      expect((await getVideo(api(), media)).faces).to.deep.equal([
        { id: 1, name: 'Ada Lovelace', speaker_id: 1, accuracy: null, personality_traits: null },
        { id: 2, name: 'Grace Hopper', speaker_id: 2, accuracy: null, personality_traits: null },
        { id: 3, name: 'Face 3', speaker_id: 3, accuracy: null, personality_traits: null },
      ]);
      expect(await getSpeaker(api(), media, 2)).to.include({ name: 'Alan Turing' });
      expect(await getSpeaker(api(), media, 3)).to.include({ name: null });
    });

  it('with a name gives it to face and speaker', async () => {
    const media = await createMedia(api());
    await put(media, { face_id: 2, speaker_id: 1, name: 'Katherine Johnson' });
    expect(await getFace(api(), media, 2)).to.include({ name: 'Katherine Johnson', speaker_id: 1 });
    expect(await getSpeaker(api(), media, 1)).to.include({ name: 'Katherine Johnson' });
    const rename = await getLastEvent(api().admin, media.audio);
    expect(rename).to.deep.include({ type: 'SpeakersRenamed' });
    expect(rename.data['speakers']).to.deep.equal([
      {
        speaker_id: 1,
        name: 'Katherine Johnson',
        previous_name: 'Ada Lovelace',
        named_by: { before: 'analysis', after: 'person' },
      },
    ]);
  });

  it('clears the personality data of the faces that it maps or changes, and of no other', async () => {
    const media = await createMedia(api(), {
      faces: [1, 2, 3].map((id) => ({ id, personality_traits: traits })),
    });
    await put(media, { face_id: 1, speaker_id: 1 });
    expect(await getFace(api(), media, 1)).to.include({ personality_traits: null });
    expect(await getFace(api(), media, 2)).to.deep.include({ personality_traits: traits });
    await expectOk(api().worker.put(`${media.video}/faces/1/personality-traits`, { personality_traits: traits }));
    await put(media, { face_id: 1, speaker_id: 1 }, { face_id: 2, speaker_id: 2 });
    expect(await getFace(api(), media, 1)).to.deep.include({ personality_traits: traits });
    expect(await getFace(api(), media, 2)).to.include({ personality_traits: null });
    await put(media, { face_id: 1, speaker_id: 3 });
    expect(await getFace(api(), media, 1)).to.deep.include({ personality_traits: null, speaker_id: 3 });
  });

  it('changes nothing if it is repeated, and then returns no event position', async () => {
    const media = await createMedia(api());
    const mappings = [
      { face_id: 1, speaker_id: 1, name: 'Ada King' },
      { face_id: 2, speaker_id: 2 },
    ];
    expect((await put(media, ...mappings)).headers.get('X-Event-Position')).to.match(/\S/);
    const again = await expectNothingWritten(api(), media, () => put(media, ...mappings));
    expect(again.headers.get('X-Event-Position')).to.equal(null);
    expect(again.body).to.deep.include({ status: 'completed' });
  });

  it('processes a batch in one event', async () => {
    const media = await createMedia(api());
    const before = (await getHistory(api().admin, media.video)).length;
    await put(media, ...[1, 2, 3].map((id) => ({ face_id: id, speaker_id: id, name: `Person ${'ABC'[id - 1]}` })));
    expect((await getHistory(api().admin, media.video)).length).to.equal(before + 1);
    expect((await getHistory(api().admin, media.audio)).at(-1)?.data['speakers']).to.have.length(3);
  });

  it('moves a match: a speaker has one face at most, and the face that lost it keeps its name', async () => {
    const media = await createMedia(api());
    await put(media, { face_id: 1, speaker_id: 1 });
    await put(media, { face_id: 3, speaker_id: 1 });
    expect(await getFace(api(), media, 1)).to.include({ name: 'Ada Lovelace', speaker_id: null, accuracy: null });
    expect(await getFace(api(), media, 3)).to.include({ name: 'Ada Lovelace', speaker_id: 1 });
  });

  it('swaps two matches in one request', async () => {
    const media = await createMedia(api());
    await put(media, { face_id: 1, speaker_id: 1 }, { face_id: 2, speaker_id: 2 });
    await put(media, { face_id: 1, speaker_id: 2 }, { face_id: 2, speaker_id: 1 });
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: 2 });
    expect(await getFace(api(), media, 2)).to.include({ speaker_id: 1 });
  });

  it("removes the accuracy of a machine's match, because a person's match has none", async () => {
    const media = await createMedia(api());
    const run_id = await triggerCommit(api(), media);
    await expectOk(writeBack(api(), media, { run_id, matches: [matched(1, 1, 0.8)] }));
    expect(await getFace(api(), media, 1)).to.include({ accuracy: 0.8 });
    await put(media, { face_id: 1, speaker_id: 1 });
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: 1, accuracy: null });
  });

  it('needs no completed audio, and passes while a suggest run is in flight', async () => {
    const media = await createMedia(api());
    await triggerSuggest(api(), media);
    await put(media, { face_id: 1, speaker_id: 1 });
    await expectOk(api().worker.put(`${media.audio}/analysis`, { status: 'processing', speakers: [], segments: [] }));
    await put(media, { face_id: 2, speaker_id: 2 });
  });

  it('ignores fields that it does not know', async () => {
    const media = await createMedia(api());
    const body = { mappings: [{ face_id: 1, speaker_id: 1, colour: 'red' }], target_face_ids: [1], more: {} };
    await expectOk(api().owner.put(media.match, body));
  });
});
