import { expect } from 'chai';
import * as t from 'io-ts';
import { castOfAll } from '../support/e2e/cast.js';
import { type HistoryEvent, historyOf, lastEventOf } from '../support/e2e/history.js';
import { type Media, audioOf, done, faceOf, mediaOf, speakerOf, videoOf } from '../support/e2e/media.js';
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
  const cast = castOfAll();
  const traits = { personality_traits: { calm: 1 } };

  /** Faces, speakers, tags and titles, without what time and revisions leave. */
  const stateOf = async (media: Media): Promise<unknown> => {
    const [video, audio] = [await videoOf(cast(), media), await audioOf(cast(), media)];
    return {
      faces: video.faces,
      title: [video.title, video.media_url, audio.title],
      tags: video.tags.map(({ key, value, source }) => [key, value, source]),
      speakers: audio.speakers,
    };
  };
  const match = (media: Media, ...mappings: ReadonlyArray<object>) => done(cast().owner.put(media.match, { mappings }));

  it('takes back a match with its names on both records, and says field by field what it did', async () => {
    const media = await mediaOf(cast(), { faces: [{ id: 1, ...traits }, { id: 2 }] });
    const before = await stateOf(media);
    const position = positionOf(await match(media, { face_id: 1, speaker_id: 1, name: 'Katherine Johnson' }));
    expect(await undone(cast().owner, media.video, position)).to.deep.equal({
      status: 'reverted',
      position,
      reverted: [
        { record: 'face', id: 1, fields: ['name', 'speaker_id', 'personality_traits'] },
        { record: 'speaker', id: 1, fields: ['name'] },
      ],
      changed_since: [],
    });
    expect(await stateOf(media)).to.deep.equal(before);
    expect((await lastEventOf(cast().owner, media.video)).type).to.equal('VideoChangeReverted');
    expect((await lastEventOf(cast().owner, media.audio)).type).to.equal('AudioChangeReverted');
  });

  it('is asked for on either path, by the position of any event of the change', async () => {
    const media = await mediaOf(cast());
    const before = await stateOf(media);
    for (const path of [media.video, media.audio])
      for (const record of [media.video, media.audio]) {
        await match(media, { face_id: 1, speaker_id: 1, name: 'Katherine Johnson' });
        const { position } = await lastEventOf(cast().owner, record);
        expect((await undone(cast().owner, path, position)).reverted).to.have.length(2);
        expect(await stateOf(media)).to.deep.equal(before);
      }
  });

  it('takes back a renamed speaker with the face that followed, and no face that adopted the name later', async () => {
    const media = await mediaOf(cast());
    await match(media, { face_id: 1, speaker_id: 1 });
    const names = `/v1/audios/${media.audioId}/speakers/names`;
    const first = positionOf(await done(cast().owner.put(names, [{ speaker_id: 1, name: 'Eve' }])));
    await undone(cast().owner, media.audio, first);
    expect(await faceOf(cast(), media, 1)).to.include({ name: 'Ada Lovelace', speaker_id: 1 });
    expect(await speakerOf(cast(), media, 1)).to.include({ name: 'Ada Lovelace' });

    const other = await mediaOf(cast());
    const rename = `/v1/audios/${other.audioId}/speakers/names`;
    const second = positionOf(await done(cast().owner.put(rename, [{ speaker_id: 1, name: 'Eve' }])));
    await match(other, { face_id: 1, speaker_id: 1 });
    expect((await undone(cast().owner, other.audio, second)).reverted).to.deep.equal([
      { record: 'speaker', id: 1, fields: ['name'] },
    ]);
    expect(await faceOf(cast(), other, 1)).to.include({ name: 'Eve' });
    expect(await speakerOf(cast(), other, 1)).to.include({ name: 'Ada Lovelace' });
  });

  it('leaves what was changed since, and names it', async () => {
    const media = await mediaOf(cast(), { faces: [{ id: 1, ...traits }, { id: 2 }] });
    const position = positionOf(await match(media, { face_id: 1, speaker_id: 1 }));
    await done(cast().owner.put(`/v1/videos/${media.videoId}/faces/names`, [{ face_id: 1, name: 'Eve' }]));
    const fresh = { personality_traits: { fresh: 1 } };
    await done(cast().worker.put(`${media.video}/faces/1/personality-traits`, fresh));
    expect(await undone(cast().owner, media.video, position)).to.deep.include({
      reverted: [{ record: 'face', id: 1, fields: ['speaker_id'] }],
      changed_since: [{ record: 'face', id: 1, fields: ['name', 'personality_traits'] }],
    });
    expect(await faceOf(cast(), media, 1)).to.deep.include({ name: 'Eve', speaker_id: null, ...fresh });
  });

  it('takes back roles, tags, titles and addresses', async () => {
    const media = await mediaOf(cast());
    const before = await stateOf(media);
    const { owner } = cast();
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
      positions.push(positionOf(await done(change())));
      states.push(await stateOf(media));
    }
    for (const [index, [path]] of [...changes.entries()].toReversed()) {
      await undone(owner, path, positions[index] ?? '');
      expect(await stateOf(media), `after ${index}`).to.deep.equal(states[index]);
    }
  });

  it('can be undone in turn', async () => {
    const media = await mediaOf(cast());
    await match(media, { face_id: 1, speaker_id: 1, name: 'Eve' });
    const matched = await stateOf(media);
    const { position } = await lastEventOf(cast().owner, media.video);
    const first = positionOf(await done(revert(cast().owner, media.video, position)));
    await undone(cast().owner, media.audio, first);
    expect(await stateOf(media)).to.deep.equal(matched);
    const again = await lastEventOf(cast().owner, media.video);
    await undone(cast().owner, media.video, again.position);
    expect(await faceOf(cast(), media, 1)).to.include({ name: 'Face 1', speaker_id: null });
  });

  it('answers a dry run the same, and writes nothing', async () => {
    const media = await mediaOf(cast());
    const position = positionOf(await match(media, { face_id: 1, speaker_id: 1, name: 'Eve' }));
    const before = [await historyOf(cast().owner, media.video), await historyOf(cast().owner, media.audio)];
    const dry = await done(revert(cast().owner, media.video, position, { dry_run: true }));
    expect(dry.headers.get('X-Event-Position')).to.equal(null);
    expect([await historyOf(cast().owner, media.video), await historyOf(cast().owner, media.audio)]).to.deep.equal(
      before,
    );
    const real = await done(revert(cast().owner, media.video, position, { dry_run: false }));
    expect(real.body).to.deep.equal(dry.body);
  });

  it('takes one of two at once, on whichever path', async () => {
    for (const paths of [
      ['video', 'video'],
      ['audio', 'audio'],
      ['video', 'audio'],
    ] as const) {
      const media = await mediaOf(cast());
      const position = positionOf(await match(media, { face_id: 1, speaker_id: 1, name: 'Eve' }));
      const answers = await Promise.all(paths.map((path) => revert(cast().owner, media[path], position)));
      expect(
        answers.map(({ status }) => status),
        paths.join(),
      ).to.have.members([200, 409]);
    }
  });

  it('holds for a change whose request id was sent with others', async () => {
    const media = await mediaOf(cast());
    const headers = { 'X-Request-Id': 'the-same' };
    const faces = `/v1/videos/${media.videoId}/faces/names`;
    const one = positionOf(await done(cast().owner.put(faces, [{ face_id: 1, name: 'Ann' }], headers)));
    await done(cast().owner.put(faces, [{ face_id: 2, name: 'Bea' }], headers));
    expect((await undone(cast().owner, media.video, one)).reverted).to.deep.equal([
      { record: 'face', id: 1, fields: ['name'] },
    ]);
    expect(await faceOf(cast(), media, 2)).to.include({ name: 'Bea' });
  });

  it('takes back what a run did, by the position that its write-back was answered with', async () => {
    const media = await mediaOf(cast());
    const matches = [{ face_id: 1, speaker_id: 1, accuracy: 0.9 }];
    const written = await done(cast().worker.put(media.writeBack, { status: 'completed', matches }));
    const runs = async () => (await done(cast().owner.get(media.runs))).text;
    expect(await undone(cast().owner, media.video, positionOf(written))).to.deep.include({
      reverted: [{ record: 'face', id: 1, fields: ['name', 'speaker_id', 'accuracy'] }],
    });
    expect(await faceOf(cast(), media, 1)).to.include({ name: 'Face 1', speaker_id: null, accuracy: null });
    expect(await runs()).to.match(/"reverted_at":"/);
  });

  it('gives back whose name it was: an analysis overwrites its own alone', async () => {
    const media = await mediaOf(cast(), { faces: [{ id: 1, name: 'Ann' }] });
    const faces = `/v1/videos/${media.videoId}/faces/names`;
    const claim = positionOf(await done(cast().owner.put(faces, [{ face_id: 1, name: 'Ann' }])));
    const analysed = (name: string) =>
      done(cast().worker.put(`${media.video}/analysis`, { status: 'completed', faces: [{ id: 1, name, tracks: [] }] }));
    await analysed('Bea');
    expect(await faceOf(cast(), media, 1)).to.include({ name: 'Ann' });
    expect((await undone(cast().owner, media.video, claim)).reverted).to.deep.equal([
      { record: 'face', id: 1, fields: ['name'] },
    ]);
    await analysed('Cleo');
    expect(await faceOf(cast(), media, 1)).to.include({ name: 'Cleo' });
  });

  it('shows in the history as an event that tells what it put back', async () => {
    const media = await mediaOf(cast());
    await match(media, { face_id: 1, speaker_id: 1 });
    const matched: HistoryEvent = await lastEventOf(cast().owner, media.video);
    await undone(cast().owner, media.video, matched.position);
    const { data } = await lastEventOf(cast().owner, media.video);
    expect(data).to.deep.include({
      position: matched.position,
      change_id: matched.event_id,
      cause: { kind: 'request' },
      audio: null,
      changed_since: [],
    });
  });
});
