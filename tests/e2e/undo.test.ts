import { expect } from 'chai';
import { runCommand } from '../support/e2e/command.js';
import { getLastEvent } from '../support/e2e/history.js';
import { type Media, createMedia, expectOk, getAudio, getFace, getVideo } from '../support/e2e/media.js';
import { useTestApi } from '../support/e2e/test-api.js';
import type { HttpAnswer } from '../support/http-client.js';

const positionOf = ({ headers }: HttpAnswer): string => headers.get('X-Event-Position') ?? 'none';

describe('undo', () => {
  const api = useTestApi();
  const undone = async (path: string, position: string) =>
    (await expectOk(api().owner.post(`${path}/history/${position}/revert`))).body;
  const peopleIn = async (media: Media) => [
    (await getVideo(api(), media)).faces,
    (await getAudio(api(), media)).speakers,
  ];
  const match = async (media: Media) => {
    const mappings = [{ face_id: 1, speaker_id: 1, name: 'Katherine Johnson' }];
    return positionOf(await expectOk(api().owner.put(media.match, { mappings })));
  };

  it('of a match restores both records and reports each field, on either path, by any of its events', async () => {
    const media = await createMedia(api(), { faces: [{ id: 1, personality_traits: { calm: 1 } }, { id: 2 }] });
    const before = await peopleIn(media);
    const position = await match(media);
    expect(await undone(media.video, position)).to.deep.equal({
      status: 'reverted',
      position,
      reverted: [
        { record: 'face', id: 1, fields: ['name', 'speaker_id', 'personality_traits'] },
        { record: 'speaker', id: 1, fields: ['name'] },
      ],
      changed_since: [],
    });
    expect(await peopleIn(media)).to.deep.equal(before);
    expect((await getLastEvent(api().owner, media.video)).type).to.equal('VideoChangeReverted');
    expect((await getLastEvent(api().owner, media.audio)).type).to.equal('AudioChangeReverted');
    for (const path of [media.video, media.audio])
      for (const record of [media.video, media.audio]) {
        await match(media);
        await undone(path, (await getLastEvent(api().owner, record)).position);
        expect(await peopleIn(media)).to.deep.equal(before);
      }
  });

  it('works for a change whose request id was also used for others', async () => {
    const media = await createMedia(api());
    const rename = async (face_id: number, name: string) =>
      api().owner.put(`/v1/videos/${media.videoId}/faces/names`, [{ face_id, name }], { 'X-Request-Id': 'the-same' });
    const first = positionOf(await expectOk(rename(1, 'Ann')));
    await expectOk(rename(2, 'Bea'));
    expect(await undone(media.video, first))
      .to.have.property('reverted')
      .with.lengthOf(1);
    expect(await getFace(api(), media, 2)).to.include({ name: 'Bea' });
  });

  it('is a command: it prints what it would restore, restores it, and exits with 1 the second time', async () => {
    const { world } = api();
    const undo = (...args: ReadonlyArray<string>) =>
      runCommand(['undo', ...args], { MEDIA_ANALYSIS_URL: world.url(), ADMIN_API_KEY: world.adminKey });
    const media = await createMedia(api());
    const position = await match(media);
    const short = position.replace(/^0+/, '');
    expect(await undo('video', media.videoId, `#${short}`, '--dry-run')).to.deep.equal({
      code: 0,
      out: 'would be restored\tface 1\tname, speaker_id\nwould be restored\tspeaker 1\tname\n',
      err: '',
    });
    expect(await getFace(api(), media, 1)).to.include({ name: 'Katherine Johnson' });
    const real = await undo('audio', media.audioId, position);
    expect(real.out).to.equal('restored\tspeaker 1\tname\nrestored\tface 1\tname, speaker_id\n');
    const again = await undo('video', media.videoId, position, '--json');
    expect(again).to.include({ code: 1, out: '' });
    expect(again.err).to.include('nothing_to_revert');
    expect((await undo('video', media.videoId, '##1')).err).to.include('It must be a position, as in #123');
    if (process.env['TEST_EVENT_STORE'] !== undefined) return;
    const explained = await runCommand(['audit', 'explain', 'face', media.videoId, '1'], { DATA_DIR: world.dataDir });
    expect(explained.out).to.match(/has no speaker since \S+, because the change at position \d+ was undone/);
  });
});
