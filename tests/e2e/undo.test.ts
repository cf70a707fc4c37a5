import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { type Media, getAudio, expectOk, getFace, createMedia, getVideo } from '../support/e2e/media.js';
import { type HttpAnswer, type HttpClient, bodyOf } from '../support/http-client.js';

const Fields = t.readonlyArray(
  t.type({ record: t.string, id: t.union([t.number, t.string]), fields: t.readonlyArray(t.string) }),
);
const Reverted = t.type({ status: t.literal('reverted'), position: t.string, reverted: Fields, changed_since: Fields });

const positionOf = ({ headers }: HttpAnswer): string => headers.get('X-Event-Position') ?? 'none';
const revert = (client: HttpClient, path: string, position: string, body?: object) =>
  client.post(`${path}/history/${position}/revert`, body);
const undone = async (client: HttpClient, path: string, position: string, body?: object) =>
  bodyOf(Reverted, await revert(client, path, position, body));

describe('undo', () => {
  const api = useTestApi();
  const traits = { personality_traits: { calm: 1 } };

  /** Faces, speakers, tags and titles, without times and revisions. */
  const stateOf = async (media: Media): Promise<unknown> => {
    const [video, audio] = [await getVideo(api(), media), await getAudio(api(), media)];
    return {
      faces: video.faces,
      title: [video.title, video.media_url, audio.title],
      tags: video.tags.map(({ key, value, source }) => [key, value, source]),
      speakers: audio.speakers,
    };
  };
  const match = (media: Media, ...mappings: ReadonlyArray<object>) =>
    expectOk(api().owner.put(media.match, { mappings }));

  it('undoes a match with its names on both records, and reports each field', async () => {
    const media = await createMedia(api(), { faces: [{ id: 1, ...traits }, { id: 2 }] });
    const before = await stateOf(media);
    const position = positionOf(await match(media, { face_id: 1, speaker_id: 1, name: 'Katherine Johnson' }));
    expect(await undone(api().owner, media.video, position)).to.deep.equal({
      status: 'reverted',
      position,
      reverted: [
        { record: 'face', id: 1, fields: ['name', 'speaker_id', 'personality_traits'] },
        { record: 'speaker', id: 1, fields: ['name'] },
      ],
      changed_since: [],
    });
    expect(await stateOf(media)).to.deep.equal(before);
    expect((await getLastEvent(api().owner, media.video)).type).to.equal('VideoChangeReverted');
    expect((await getLastEvent(api().owner, media.audio)).type).to.equal('AudioChangeReverted');
  });

  it('can be requested on either path, by the position of any event of the change', async () => {
    const media = await createMedia(api());
    const before = await stateOf(media);
    for (const path of [media.video, media.audio])
      for (const record of [media.video, media.audio]) {
        await match(media, { face_id: 1, speaker_id: 1, name: 'Katherine Johnson' });
        const { position } = await getLastEvent(api().owner, record);
        expect((await undone(api().owner, path, position)).reverted).to.have.length(2);
        expect(await stateOf(media)).to.deep.equal(before);
      }
  });

  it('works for a change whose request id was also used for others', async () => {
    const media = await createMedia(api());
    const headers = { 'X-Request-Id': 'the-same' };
    const faces = `/v1/videos/${media.videoId}/faces/names`;
    const one = positionOf(await expectOk(api().owner.put(faces, [{ face_id: 1, name: 'Ann' }], headers)));
    await expectOk(api().owner.put(faces, [{ face_id: 2, name: 'Bea' }], headers));
    expect((await undone(api().owner, media.video, one)).reverted).to.deep.equal([
      { record: 'face', id: 1, fields: ['name'] },
    ]);
    expect(await getFace(api(), media, 2)).to.include({ name: 'Bea' });
  });
});
