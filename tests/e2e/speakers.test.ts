import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { type Media, getAudio, expectOk, getFace, createMedia, getSpeaker } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';

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

  it('get names whatever the state of audio and video', async () => {
    const media = await createMedia(api(), { audioStatus: 'processing', videoStatus: 'processing' });
    await expectOk(api().owner.put(names(media), [{ speaker_id: 1, name: 'Mary Jackson' }]));
    expect(await getSpeaker(api(), media, 1)).to.include({ name: 'Mary Jackson' });
    const empty = await createMedia(api(), { audioStatus: null, apart: true });
    await expectOk(api().owner.put(names(empty), [{ speaker_id: 1, name: 'Mary Jackson' }]));
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

  it('may be given names and roles only by the owner, MEDIA_WRITE and admins', async () => {
    const media = await createMedia(api());
    const name = [{ speaker_id: 1, name: 'Ada' }];
    const role = [{ speaker_id: 1, role: 'agent' }];
    for (const caller of [api().mediaWriter, api().admin, api().owner]) {
      await expectOk(caller.put(names(media), name));
      await expectOk(caller.put(roles(media), role));
    }
    for (const caller of [api().stranger, api().worker]) {
      const refuse = (path: string, body: unknown) => expectNothingWritten(api(), media, () => caller.put(path, body));
      expectCode(await refuse(names(media), name), 401, 'not_authorised');
      expectCode(await refuse(roles(media), role), 401, 'not_authorised');
      expectCode(await refuse(names(media), []), 401, 'not_authorised');
    }
    expectText(await api().anonymous.put(names(media), []), 401);
    expectCode(await api().owner.put('/v1/audios/none/speakers/names', []), 404, 'unknown_audio');
    expectCode(await api().owner.put('/v1/audios/none/speakers/roles', []), 404, 'unknown_audio');
  });

  it('may not get an empty name or unknown role; the list may not be empty or name one twice', async () => {
    const media = await createMedia(api());
    const put = (path: string, body: unknown) => expectNothingWritten(api(), media, () => api().owner.put(path, body));
    for (const path of [names(media), roles(media)]) {
      expectMalformed(await put(path, []), '');
      expectMalformed(await put(path, {}), '');
      expectMalformed(await put(path, null), '');
    }
    for (const name of ['', ' \t', null, 5, 'x'.repeat(501)])
      expectMalformed(await put(names(media), [{ speaker_id: 1, name }]), '[0].name');
    expectMalformed(await put(names(media), [{ speaker_id: 1 }]), '[0].name');
    expectMalformed(await put(names(media), [{ speaker_id: '1', name: 'x' }]), '[0].speaker_id');
    for (const role of ['', 'boss', 5, undefined])
      expectMalformed(await put(roles(media), [{ speaker_id: 1, role }]), '[0].role');
    const twice = { speaker_id: 1, name: 'A', role: 'agent' };
    expectCode(await put(names(media), [twice, twice]), 400, 'duplicate_speaker_id');
    expectCode(await put(roles(media), [twice, twice]), 400, 'duplicate_speaker_id');
  });

  it('are merged: the face of one is matched to the other', async () => {
    const media = await matchedMedia();
    await expectOk(api().owner.post(`${media.audio}/speakers/merge`, { from: 1, into: 3 }));
    expect((await getAudio(api(), media)).speakers.map(({ speaker_id }) => speaker_id)).to.deep.equal([2, 3]);
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: 3, name: 'Ada Lovelace' });
    await expectOk(api().owner.post(`${media.audio}/speakers/merge`, { from: 2, into: 3 }));
    expect(await getFace(api(), media, 2)).to.include({ speaker_id: null, name: 'Grace Hopper' });
    const answer = await expectOk(api().owner.put(names(media), [{ speaker_id: 1, name: 'Gone' }]));
    expect(answer.body).to.deep.equal({ speakers: [], skipped: [1] });
  });

  it('are deleted, and their face has no speaker any more', async () => {
    const media = await matchedMedia();
    await expectOk(api().owner.delete(`${media.audio}/speakers/1`));
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: null, name: 'Ada Lovelace' });
    expectCode(await api().owner.delete(`${media.audio}/speakers/1`), 404, 'InvalidSpeaker');
    expectCode(
      await api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }),
      404,
      'InvalidSpeaker',
    );
  });

  it('are merged and deleted only by the owner and admins, and only if they exist', async () => {
    const media = await createMedia(api());
    const merge = `${media.audio}/speakers/merge`;
    const post = (body: object) => expectNothingWritten(api(), media, () => api().owner.post(merge, body));
    for (const caller of [api().mediaWriter, api().stranger, api().worker]) {
      expectCode(await caller.post(merge, {}), 401, 'not_authorised');
      expectCode(await caller.delete(`${media.audio}/speakers/1`), 401, 'not_authorised');
    }
    expectCode(await post({ from: 1, into: 9 }), 404, 'InvalidSpeaker');
    expectCode(await post({ from: 9, into: 1 }), 404, 'InvalidSpeaker');
    expectCode(await post({ from: 1, into: 1 }), 400, 'merge_into_itself');
    expectMalformed(await post({}), 'from', 'into');
    for (const id of ['9', '-1', '1.0', '01x', 'x'])
      expectCode(await api().owner.delete(`${media.audio}/speakers/${id}`), 404, 'InvalidSpeaker');
    await expectOk(api().admin.delete(`${media.audio}/speakers/1`));
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

  it('do not change the name of the matched speaker', async () => {
    const media = await createMedia(api());
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }));
    await expectOk(api().owner.put(path(media), [{ face_id: 1, name: 'A. L.' }]));
    expect(await getSpeaker(api(), media, 1)).to.include({ name: 'Ada Lovelace' });
  });

  it('are refused for unknown faces, other shapes and other callers', async () => {
    const media = await createMedia(api());
    const put = (body: unknown) => expectNothingWritten(api(), media, () => api().owner.put(path(media), body));
    const ada = { face_id: 1, name: 'Ada' };
    expectCode(await put([ada, { face_id: 9, name: 'x' }]), 404, 'InvalidFace');
    expectCode(await put([ada, ada]), 400, 'duplicate_face_id');
    expectMalformed(await put([]), '');
    expectMalformed(await put([{ face_id: 1, name: ' ' }]), '[0].name');
    expectMalformed(await put([{ name: 'x' }]), '[0].face_id');
    for (const caller of [api().stranger, api().worker, api().mediaWriter])
      expectCode(await caller.put(path(media), []), 401, 'not_authorised');
    expectText(await api().anonymous.put(path(media), []), 401);
    expectCode(await api().owner.put('/v1/videos/none/faces/names', []), 404, 'unknown_video');
  });
});
