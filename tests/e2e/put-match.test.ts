import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { type Media, expectOk, getFace, createMedia, getSpeaker } from '../support/e2e/media.js';
import { expectNothingWritten } from '../support/e2e/refusal.js';

describe('PUT speaker-face-match', () => {
  const api = useTestApi();

  const put = (media: Media, ...mappings: ReadonlyArray<object>) =>
    expectOk(api().owner.put(media.match, { mappings }));

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
});
