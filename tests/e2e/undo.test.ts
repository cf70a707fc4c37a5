import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { type HistoryEvent, getHistory, getLastEvent } from '../support/e2e/history.js';
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

  it('undoes roles, tags, titles and addresses', async () => {
    const media = await createMedia(api());
    const before = await stateOf(media);
    const { owner } = api();
    const changes: ReadonlyArray<readonly [path: string, answer: () => Promise<HttpAnswer>]> = [
      [media.audio, () => owner.put(`/v1/audios/${media.audioId}/speakers/roles`, [{ speaker_id: 1, role: 'agent' }])],
      [
        media.video,
        () =>
          owner.post(`${media.video}/provider-tags`, {
            source: 'importer.crm',
            tags: [{ key: 'vpm.campaign', value: 'spring' }],
          }),
      ],
      [
        media.video,
        () =>
          owner.post(`${media.video}/provider-tags`, {
            source: 'importer.other',
            tags: [{ key: 'vpm.campaign', value: 'summer' }],
          }),
      ],
      [media.video, () => owner.post(`${media.video}/tags`, { tags: [{ key: 'label.seen', value: 'yes' }] })],
      [media.video, () => owner.delete(`${media.video}/tags/label.seen`)],
      [media.video, () => owner.patch(media.video, { title: 'A film', media_url: 'https://media.example/1.mp4' })],
      [media.audio, () => owner.patch(media.audio, { title: 'Its sound' })],
    ];
    const states = [before];
    const positions: string[] = [];
    for (const [, change] of changes) {
      positions.push(positionOf(await expectOk(change())));
      states.push(await stateOf(media));
    }
    for (const [index, [path]] of [...changes.entries()].toReversed()) {
      await undone(owner, path, positions[index] ?? '');
      expect(await stateOf(media), `after ${index}`).to.deep.equal(states[index]);
    }
  });

  it('can be undone in turn', async () => {
    const media = await createMedia(api());
    await match(media, { face_id: 1, speaker_id: 1, name: 'Eve' });
    const matched = await stateOf(media);
    const { position } = await getLastEvent(api().owner, media.video);
    const first = positionOf(await expectOk(revert(api().owner, media.video, position)));
    await undone(api().owner, media.audio, first);
    expect(await stateOf(media)).to.deep.equal(matched);
    const again = await getLastEvent(api().owner, media.video);
    await undone(api().owner, media.video, again.position);
    expect(await getFace(api(), media, 1)).to.include({ name: 'Face 1', speaker_id: null });
  });

  it('gives the same answer in a dry run, and writes nothing', async () => {
    const media = await createMedia(api());
    const position = positionOf(await match(media, { face_id: 1, speaker_id: 1, name: 'Eve' }));
    const before = [await getHistory(api().owner, media.video), await getHistory(api().owner, media.audio)];
    const dry = await expectOk(revert(api().owner, media.video, position, { dry_run: true }));
    expect(dry.headers.get('X-Event-Position')).to.equal(null);
    expect([await getHistory(api().owner, media.video), await getHistory(api().owner, media.audio)]).to.deep.equal(
      before,
    );
    const real = await expectOk(revert(api().owner, media.video, position, { dry_run: false }));
    expect(real.body).to.deep.equal(dry.body);
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

  it('undoes the changes of a run, by the position of its write-back', async () => {
    const media = await createMedia(api());
    const matches = [{ face_id: 1, speaker_id: 1, accuracy: 0.9 }];
    const written = await expectOk(api().worker.put(media.writeBack, { status: 'completed', matches }));
    const runs = async () => (await expectOk(api().owner.get(media.runs))).text;
    expect(await undone(api().owner, media.video, positionOf(written))).to.deep.include({
      reverted: [{ record: 'face', id: 1, fields: ['name', 'speaker_id', 'accuracy'] }],
    });
    expect(await getFace(api(), media, 1)).to.include({ name: 'Face 1', speaker_id: null, accuracy: null });
    expect(await runs()).to.match(/"reverted_at":"/);
  });

  it('appears in the history as an event that contains what it restored', async () => {
    const media = await createMedia(api());
    await match(media, { face_id: 1, speaker_id: 1 });
    const matched: HistoryEvent = await getLastEvent(api().owner, media.video);
    await undone(api().owner, media.video, matched.position);
    const { data } = await getLastEvent(api().owner, media.video);
    expect(data).to.deep.include({
      position: matched.position,
      change_id: matched.event_id,
      cause: { kind: 'request' },
      audio: null,
      changed_since: [],
    });
  });
});
