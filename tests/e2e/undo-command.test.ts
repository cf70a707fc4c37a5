import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { runCommand } from '../support/e2e/command.js';
import { expectOk, getFace, createMedia } from '../support/e2e/media.js';

describe('media-analysis undo', function () {
  this.timeout(60_000);
  const api = useTestApi();
  const undo = (...args: ReadonlyArray<string>) =>
    runCommand(['undo', ...args], {
      MEDIA_ANALYSIS_URL: api().world.url(),
      ADMIN_API_KEY: api().world.adminKey,
      DATA_DIR: api().world.dataDir,
    });

  it('prints what it would restore, restores it, and exits with 1 the second time', async () => {
    const media = await createMedia(api());
    const put = await expectOk(
      api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1, name: 'Eve' }] }),
    );
    const position = put.headers.get('X-Event-Position') ?? '';
    const dry = await undo('video', media.videoId, position, '--dry-run');
    expect(dry).to.deep.include({ code: 0, err: '' });
    expect(dry.out).to.equal('would be restored\tface 1\tname, speaker_id\nwould be restored\tspeaker 1\tname\n');
    expect(await getFace(api(), media, 1)).to.include({ name: 'Eve' });
    const short = position.replace(/^0+/, '');
    expect((await undo('video', media.videoId, short, '--dry-run')).out).to.equal(dry.out);
    expect((await undo('video', media.videoId, `#${short}`, '--dry-run')).out).to.equal(dry.out);
    const real = await undo('audio', media.audioId, position);
    expect(real.out).to.equal('restored\tspeaker 1\tname\nrestored\tface 1\tname, speaker_id\n');
    expect(await getFace(api(), media, 1)).to.include({ name: 'Face 1', speaker_id: null });
    const again = await undo('video', media.videoId, position, '--json');
    expect(again).to.include({ code: 1, out: '' });
    expect(again.err).to.include('nothing_to_revert');

    const [explained, usage] = await Promise.all([
      runCommand(['audit', 'explain', 'face', media.videoId, '1'], { DATA_DIR: api().world.dataDir }),
      undo('film', media.videoId, position),
    ]);
    expect(usage.code).to.equal(2);
    for (const wrong of ['2026-01-31', '##1', 'x'])
      expect((await undo('video', media.videoId, wrong)).err).to.include('It must be a position, as in #123');
    if (process.env['EVENT_STORE'] === undefined) {
      expect(explained.out).to.include(`the change at position ${position} was undone, together with the audio`);
      expect(explained.out).to.match(/took_back.*a person matched faces to speakers by hand/);
      expect(explained.out.trimEnd().split('\n').at(-1)).to.match(
        /^face 1: name is "Face 1" since .*; has no speaker since \S+, because the change at position .* was undone/,
      );
    }
  });
});
