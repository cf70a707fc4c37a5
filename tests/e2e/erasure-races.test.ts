import { expect } from 'chai';
import * as t from 'io-ts';
import { bodyOf } from '../support/http-client.js';
import { castOfAll } from '../support/e2e/cast.js';
import { done, mediaOf } from '../support/e2e/media.js';
import { suggest } from '../support/e2e/runs.js';
import { times } from '../support/long-form.js';
import { streamsAfter } from '../support/erasure/after.js';

const Receipt = t.type({ receipt: t.type({ position: t.string }) });

describe('an erasure under load', function () {
  this.timeout(120_000);
  const cast = castOfAll();

  it('has nothing after it in the medium’s own streams, whatever comes at the same time', async () => {
    for (let round = 0; round < times(3, 20); round += 1) {
      const media = await mediaOf(cast());
      const run_id = await suggest(cast(), media);
      const { owner, worker } = cast();
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
      const { receipt } = bodyOf(Receipt, await done(owner.delete(erased)));
      const statuses = (await Promise.all(running)).map(({ status }) => status);
      expect(
        statuses.every((status) => [200, 400, 404, 409, 410, 422].includes(status)),
        statuses.join(),
      ).to.equal(true);
      expect((await owner.get(erased)).status).to.equal(410);
      expect(await streamsAfter(cast(), erased, receipt.position)).to.deep.equal([]);
    }
  });
});
