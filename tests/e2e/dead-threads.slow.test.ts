import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { openTestApi, type TestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { type Threads, watchThreads } from '../support/threads.js';

const largeAnalysis = (): string => {
  const tracks = Array.from({ length: 20_000 }, (_, at) => `{"start":${at}.25,"end":${at}.75}`);
  return `{"status":"completed","faces":[{"id":1,"tracks":[${tracks.join(',')}]}]}`;
};

describe('threads that die', () => {
  let [threads, api]: [Threads | null, TestApi | null] = [null, null];
  const all = (): Threads & TestApi => {
    if (threads === null || api === null) throw new Error('they are there in tests alone');
    return { ...threads, ...api };
  };
  before(async () => {
    threads = watchThreads();
    api = await openTestApi({ match_worker: 'embedded' });
  });
  after(async () => {
    await api?.world.end();
    threads?.stopWatching();
  });

  it('that read large bodies: the body is refused temporarily or accepted, and the next is accepted', async () => {
    const { kill } = all();
    const media = await createMedia(all());
    const send = () => all().worker.raw('PUT', `${media.video}/analysis`, largeAnalysis());
    for (let round = 0; round < 4; round += 1) {
      const answer = send();
      await setTimeout(20 + round * 40);
      await kill();
      const { status, text } = await answer;
      expect(status, text).to.be.oneOf([200, 503]);
    }
    await expectOk(send());
    expect((await expectOk(all().owner.get(`${media.video}/tracks?from=19999&to=20000`))).text).to.include('19999.25');
  });
});
