import { expect } from 'chai';
import * as t from 'io-ts';
import { bodyOf } from '../support/http-client.js';
import { avaFaces, avaTurns } from '../adapters/import/support.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { runCommand } from '../support/e2e/command.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { triggerSuggest } from '../support/e2e/runs.js';
import { shortOrLong } from '../support/long-form.js';
import { eventsAfterErasure } from '../support/erasure/events-after-erasure.js';

const Receipt = t.type({ receipt: t.type({ position: t.string }) });

describe('an erasure under load', function () {
  this.timeout(120_000);
  const api = useTestApi();

  it('is the last event in the medium’s own streams, whatever is written at the same time', async () => {
    for (let round = 0; round < shortOrLong(3, 20); round += 1) {
      const media = await createMedia(api());
      const run_id = await triggerSuggest(api(), media);
      const { owner, worker } = api();
      const analysis = {
        status: 'completed',
        faces: Array.from({ length: 300 }, (_, id) => ({ id, tracks: [{ start: round, end: round + id }] })),
      };
      const writes = [
        () => worker.put(`${media.video}/analysis`, analysis),
        () => worker.put(media.writeBack, { run_id, matches: [{ face_id: 1, speaker_id: 1, accuracy: 0.5 }] }),
        () => owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 2, name: 'Late Name' }] }),
        () => owner.patch(media.video, { title: 'late' }),
        () => owner.put(`/v1/audios/${media.audioId}/speakers/names`, [{ speaker_id: 1, name: 'Late Speaker' }]),
      ];
      const running = writes.map((write) => write());
      const erased = round % 2 === 0 ? media.video : media.audio;
      const { receipt } = bodyOf(Receipt, await expectOk(owner.delete(erased)));
      const statuses = (await Promise.all(running)).map(({ status }) => status);
      expect(
        statuses.every((status) => [200, 400, 404, 409, 410, 422].includes(status)),
        statuses.join(),
      ).to.equal(true);
      expect((await owner.get(erased)).status).to.equal(410);
      expect(await eventsAfterErasure(api(), erased, receipt.position)).to.deep.equal([]);
    }
  });

  it('ends an import of the medium with exit code 1 and the reason, and nothing is written after it', async () => {
    const { admin, world } = api();
    for (let round = 0; round < shortOrLong(4, 20); round += 1) {
      const [video_id, audio_id] = [`imported-${round}`, `imported-${round}a`];
      const media = ['--video-id', video_id, '--audio-id', audio_id];
      const imported = (files: ReadonlyArray<string>) =>
        runCommand(['import', ...files, ...media, '--url', world.url(), '--key', world.adminKey]);
      expect((await imported([avaFaces, avaTurns])).code).to.equal(0);
      const erased = round % 2 === 0 ? `/v2/videos/${video_id}` : `/v2/audios/${audio_id}`;
      const importing = imported([avaFaces, avaTurns]);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
      const { receipt } = bodyOf(Receipt, await expectOk(admin.delete(erased)));
      const { code, out, err } = await importing;
      if (code !== 0) expect([code, `${out}${err}`.includes('erased')], `${out}${err}`).to.deep.equal([1, true]);
      const again = await imported([avaFaces, avaTurns]);
      expect([again.code, `${again.out}${again.err}`.includes('erased')], again.err).to.deep.equal([1, true]);
      expect(await eventsAfterErasure(api(), erased, receipt.position)).to.deep.equal([]);
    }
  });
});
