import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { type Media, expectOk, getFace, createMedia } from '../support/e2e/media.js';
import { expectMalformed, expectNothingWritten } from '../support/e2e/refusal.js';

describe('speakers', () => {
  const api = useTestApi();
  const names = ({ audioId }: Media) => `/v1/audios/${audioId}/speakers/names`;
  const roles = ({ audioId }: Media) => `/v1/audios/${audioId}/speakers/roles`;
  const matchedMedia = async () => {
    const media = await createMedia(api());
    const mappings = [
      { face_id: 1, speaker_id: 1 },
      { face_id: 2, speaker_id: 2 },
    ];
    await expectOk(api().owner.put(media.match, { mappings }));
    return media;
  };

  it('are also skipped if no speaker can have such an id', async () => {
    const media = await createMedia(api());
    const ids = [-1, 1e9, 1e20];
    const named = ids.map((speaker_id) => ({ speaker_id, name: 'Nobody' }));
    const given = ids.map((speaker_id) => ({ speaker_id, role: 'agent' }));
    const answers = await expectNothingWritten(api(), media, () =>
      Promise.all([api().owner.put(names(media), named), api().owner.put(roles(media), given)]),
    );
    for (const { status, body } of answers)
      expect({ status, body }).to.deep.equal({ status: 200, body: { speakers: [], skipped: ids } });
    const mixed = [
      { speaker_id: -1, name: 'Nobody' },
      { speaker_id: 2, name: 'Mary Jackson' },
    ];
    expect((await expectOk(api().owner.put(names(media), mixed))).body).to.deep.equal({
      speakers: [{ speaker_id: 2, name: 'Mary Jackson' }],
      skipped: [-1],
    });
    expectMalformed(await api().owner.put(names(media), [{ speaker_id: 1.5, name: 'X' }]), '[0].speaker_id');
  });

  it('pass a new name on to the matched face, and the event has the overwritten name', async () => {
    const media = await matchedMedia();
    await expectOk(
      api().owner.put(names(media), [{ speaker_id: 2, name: 'Alan M. Turing' }], { 'X-Request-Id': 'why' }),
    );
    expect(await getFace(api(), media, 2)).to.include({ name: 'Alan M. Turing', speaker_id: 2 });
    expect(await getFace(api(), media, 1)).to.include({ name: 'Ada Lovelace' });
    const renamed = await getLastEvent(api().owner, media.video);
    expect(renamed).to.include({ type: 'FacesRenamed', request_id: 'why' });
    expect(renamed.data['faces']).to.deep.equal([
      {
        face_id: 2,
        name: 'Alan M. Turing',
        previous_name: 'Grace Hopper',
        named_by: { before: 'analysis', after: 'person' },
      },
    ]);
  });
});
