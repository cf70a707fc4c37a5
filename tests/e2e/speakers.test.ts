import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { type Media, getAudio, expectOk, getFace, createMedia } from '../support/e2e/media.js';
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

  it('get names; unknown ones are skipped and listed in the answer', async () => {
    const media = await createMedia(api());
    const body = [
      { speaker_id: 3, name: 'Mary Jackson' },
      { speaker_id: 99, name: 'Nobody' },
    ];
    expect((await expectOk(api().owner.put(names(media), body))).body).to.deep.equal({
      speakers: [{ speaker_id: 3, name: 'Mary Jackson' }],
      skipped: [99],
    });
    const nothing = await expectNothingWritten(api(), media, () =>
      expectOk(api().owner.put(names(media), [{ speaker_id: 99, name: 'Nobody' }])),
    );
    expect(nothing.body).to.deep.equal({ speakers: [], skipped: [99] });
  });

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

  it('get roles; null clears, unknown ones are skipped', async () => {
    const media = await createMedia(api());
    const body = [
      { speaker_id: 1, role: 'agent' },
      { speaker_id: 2, role: 'customer' },
      { speaker_id: 77, role: null },
    ];
    expect((await expectOk(api().owner.put(roles(media), body))).body).to.deep.equal({
      speakers: body.slice(0, 2),
      skipped: [77],
    });
    await expectOk(api().owner.put(roles(media), [{ speaker_id: 1, role: null }]));
    expect((await getAudio(api(), media)).speakers.map(({ role }) => role)).to.deep.equal([null, 'customer', null]);
  });
});

describe('names of faces', () => {
  const api = useTestApi();
  const path = ({ videoId }: Media) => `/v1/videos/${videoId}/faces/names`;

  it('are set by the owner and returned', async () => {
    const media = await createMedia(api());
    const body = [
      { face_id: 1, name: 'Ada' },
      { face_id: 2, name: 'Grace' },
    ];
    expect((await expectOk(api().owner.put(path(media), body))).body).to.deep.equal(body);
    expect(await getFace(api(), media, 2)).to.include({ name: 'Grace' });
    await expectNothingWritten(api(), media, () => expectOk(api().owner.put(path(media), body)));
  });
});
