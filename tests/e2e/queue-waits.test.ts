import { expect } from 'chai';
import * as t from 'io-ts';
import { openTestApi, useTestApi } from '../support/e2e/test-api.js';
import { expectOk } from '../support/e2e/media.js';
import { type HttpAnswer, bodyOf } from '../support/http-client.js';

const Owned = t.type({ owner_id: t.string, status: t.string });
const Video = t.intersection([Owned, t.type({ video_id: t.string })]);
const Audio = t.intersection([Owned, t.type({ audio_id: t.string })]);
const Videos = t.type({ videos: t.array(Video) });
const Audios = t.type({ audios: t.array(Audio) });

const idsIn = (kind: 'videos' | 'audios', answer: HttpAnswer): ReadonlyArray<string> =>
  kind === 'videos'
    ? bodyOf(Videos, answer).videos.map(({ video_id }) => video_id)
    : bodyOf(Audios, answer).audios.map(({ audio_id }) => audio_id);

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

describe('workers find the media that wait for their analysis', () => {
  const api = useTestApi();
  const analysis = {
    videos: { status: 'completed', faces: [] },
    audios: { status: 'completed', speakers: [], segments: [] },
  };

  for (const [kind, id] of [
    ['videos', 'video_id'],
    ['audios', 'audio_id'],
  ] as const) {
    const path = `/v2/${kind}`;
    const waiting = (seconds: number, more = '') => `${path}?status=queue&wait=${seconds}${more}`;

    it(`of all accounts, as soon as there is one: ${kind}`, async () => {
      const { owner, worker, admin } = api();
      expect(idsIn(kind, await worker.get(waiting(0)))).to.deep.equal([]);
      const all = ['', '&sort=title', '&order=asc&limit=1', '&title=inter'].map((more) =>
        worker.get(waiting(30, more)),
      );
      const asAdmin = admin.get(waiting(30));
      await pause(200);
      await expectOk(owner.post(path, { [id]: 'first', title: 'An interview' }));
      for (const answer of [...all, asAdmin]) expect(idsIn(kind, await answer)).to.deep.equal(['first']);
      const came = await worker.get(waiting(30));
      expect(came.body).to.have.nested.property(`${kind}[0].owner_id`, 'owner');
      await expectOk(worker.put(`${path}/first/analysis`, analysis[kind]));
      expect(idsIn(kind, await worker.get(waiting(0)))).to.deep.equal([]);
      await expectOk(worker.put(`${path}/first/analysis`, { ...analysis[kind], status: 'queue' }));
      expect(idsIn(kind, await worker.get(waiting(30)))).to.deep.equal(['first']);
      expect(idsIn(kind, await worker.get(path))).to.deep.equal(['first']);
    });
  }

  it('wait no longer once the service is stopped', async () => {
    const stopping = await openTestApi();
    const answers = [
      stopping.worker.get('/v2/videos?status=queue&wait=30'),
      stopping.worker.get('/v2/audios?status=queue&wait=30'),
    ];
    await pause(100);
    await stopping.world.end();
    const [videos, audios] = await Promise.all(answers);
    expect([videos?.body, audios?.body]).to.deep.equal([
      { videos: [], next_cursor: null },
      { audios: [], next_cursor: null },
    ]);
  });
});
