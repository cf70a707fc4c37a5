import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { openTestApi, type TestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { getRun, triggerSuggest } from '../support/e2e/runs.js';
import { shortOrLong } from '../support/long-form.js';
import { type Threads, watchThreads } from '../support/threads.js';

const largeAnalysis = (): string => {
  const tracks = Array.from({ length: 20_000 }, (_, at) => `{"start":${at}.25,"end":${at}.75}`);
  return `{"status":"completed","faces":[{"id":1,"tracks":[${tracks.join(',')}]}]}`;
};

/** Repeats until the condition holds, at most fifteen seconds. */
const until = async (holds: () => Promise<boolean>, left = 300): Promise<void> => {
  if (await holds()) return;
  if (left === 0) throw new Error('it did not come to hold in time');
  await setTimeout(50);
  return until(holds, left - 1);
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

  const readyz = () => all().anonymous.get('/readyz');
  const isReady = async () => (await readyz()).status === 200;

  it('that write the read models lose no acknowledged write, and are started again', async () => {
    const { owner, kill } = all();
    const written: string[] = [];
    let killed = 0;
    for (let round = 0; round < shortOrLong(6, 40); round += 1) {
      const writes = Promise.all(
        Array.from({ length: 20 }, (_, at) => expectOk(owner.post('/v2/videos', { video_id: `lives-${round}-${at}` }))),
      );
      await setTimeout((round * 7) % 30);
      killed += await kill();
      await writes;
      written.push(...Array.from({ length: 20 }, (_, at) => `lives-${round}-${at}`));
    }
    expect(killed).to.be.greaterThan(0);
    await until(isReady);
    const { text } = await expectOk(owner.get('/v2/videos?limit=1000'));
    for (const id of written) expect(text).to.include(`"${id}"`);
  });

  it('that write the read models and cannot be started: /readyz and reads report it, writes work', async () => {
    const { owner, forbid, kill } = all();
    const allow = forbid();
    await kill();
    const { headers } = await expectOk(owner.post('/v2/videos', { video_id: 'unseen' }));
    const position = headers.get('x-event-position') ?? '';
    const read = await owner.get('/v2/videos?limit=1', { 'X-Min-Position': position });
    expect(read.status, read.text).to.equal(503);
    await until(async () => (await readyz()).text.includes('the thread that writes has ended'));
    expect((await readyz()).status).to.equal(503);
    const patched = await expectOk(owner.patch('/v2/videos/unseen', { title: 'From the log' }));
    expect(patched.body).to.deep.include({ video_id: 'unseen', title: 'From the log' });
    allow();
    await until(isReady);
    const seen = await expectOk(owner.get('/v2/videos/unseen'));
    expect(seen.body).to.deep.equal(patched.body);
    expect(seen.headers.get('ETag')).to.equal(patched.headers.get('ETag'));
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

  it('that match: the run still ends', async () => {
    const { kill } = all();
    const media = await createMedia(all());
    await expectOk(all().worker.raw('PUT', `${media.video}/analysis`, largeAnalysis()));
    for (let round = 0; round < 3; round += 1) {
      const run_id = await triggerSuggest(all(), media);
      await setTimeout(round * 30);
      await kill();
      await until(async () => (await getRun(all(), media, run_id)).state !== 'in_flight');
    }
  });
});
