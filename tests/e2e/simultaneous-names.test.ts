import { expect } from 'chai';
import type { HttpAnswer } from '../support/http-client.js';
import { type TestApi, useTestApi } from '../support/e2e/test-api.js';
import { type Media, getAudio, expectOk, createMedia, getVideo } from '../support/e2e/media.js';
import { triggerCommit, matched, writeBack } from '../support/e2e/runs.js';
import { shortOrLong } from '../support/long-form.js';

const rounds = shortOrLong(3, 25);

type Send = (api: TestApi, media: Media, run_id: string) => Promise<HttpAnswer>;

const rename =
  (name: string): Send =>
  ({ owner }, { audioId }) =>
    owner.put(`/v1/audios/${audioId}/speakers/names`, [{ speaker_id: 3, name }]);
const match =
  (face_id: number, name?: string): Send =>
  ({ owner }, { match: path }) =>
    owner.put(path, { mappings: [{ face_id, speaker_id: 3, ...(name === undefined ? {} : { name }) }] });
const answer: Send = (api, media, run_id) => writeBack(api, media, { run_id, matches: [matched(1, 3)] });

interface Round {
  readonly before?: ReadonlyArray<Send>;
  readonly at_once: ReadonlyArray<Send>;
}

const kinds: Readonly<Record<string, Round>> = {
  'two renamings of a matched speaker': { before: [match(1)], at_once: [rename('Ann'), rename('Bea')] },
  'a renaming and a match with a name': { at_once: [rename('Ann'), match(1, 'Bea')] },
  "a renaming and a match that adopts the speaker's name": { at_once: [rename('Ann'), match(1)] },
  'the same the other way round': { at_once: [match(1), rename('Ann')] },
  "a renaming and a run's answer": { at_once: [rename('Ann'), answer] },
  'a renaming and a match with the name that the speaker has': {
    before: [rename('Ann')],
    at_once: [match(1, 'Ann'), rename('Bea')],
  },
  'two matches of one speaker and a renaming': { at_once: [match(1, 'Ann'), rename('Bea'), match(3, 'Eve')] },
};

describe('simultaneous changes of the names of a face and its speaker', () => {
  const api = useTestApi();

  Object.entries(kinds).forEach(([kind, { before = [], at_once }]) =>
    it(`result in one name: ${kind}`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const media = await createMedia(api());
        for (const send of before) await expectOk(send(api(), media, ''));
        const run_id = await triggerCommit(api(), media);
        await Promise.all(at_once.map((send) => expectOk(send(api(), media, run_id))));
        const { faces } = await getVideo(api(), media);
        const { speakers } = await getAudio(api(), media);
        const holders = faces.filter(({ speaker_id }) => speaker_id === 3);
        expect(holders.map(({ name }) => name)).to.deep.equal([speakers.find((one) => one.speaker_id === 3)?.name]);
      }
    }),
  );

  it('leave no face with a speaker that was merged in the meantime', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const media = await createMedia(api());
      const [merged, match3] = await Promise.all([
        api().owner.post(`${media.audio}/speakers/merge`, { from: 3, into: 1 }),
        match(1, 'Ann')(api(), media, ''),
      ]);
      expect(merged.status).to.equal(200);
      expect(match3.status).to.be.oneOf([200, 404]);
      const { faces } = await getVideo(api(), media);
      expect(faces.map(({ speaker_id }) => speaker_id)).not.to.include(3);
    }
  });
});
