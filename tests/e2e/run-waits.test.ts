import { connect } from 'node:net';
import { expect } from 'chai';
import * as t from 'io-ts';
import { castOfAll, openCast } from '../support/e2e/cast.js';
import { done, mediaOf } from '../support/e2e/media.js';
import { sendBytes } from '../support/e2e/raw-http.js';
import { expectCode } from '../support/e2e/refusal.js';
import { commit, matched, suggest, suggested, untilStale, writeBack } from '../support/e2e/runs.js';
import { type HttpAnswer, bodyOf } from '../support/http-client.js';

const Run = t.type({ run_id: t.string, video_id: t.string, state: t.string });
const Runs = t.type({ match_runs: t.array(Run), next_cursor: t.union([t.string, t.null]) });

const timed = async (answer: Promise<HttpAnswer>) => {
  const start = performance.now();
  const came = await answer;
  return { came, seconds: (performance.now() - start) / 1_000 };
};
const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

describe('waiting for match runs', () => {
  const cast = castOfAll();

  it('answers when the run has ended, to everybody who waits for it', async () => {
    const media = await mediaOf(cast());
    const run_id = await suggest(cast(), media);
    const path = `${media.runs}/${run_id}`;
    expect(bodyOf(Run, await cast().owner.get(path)).state).to.equal('in_flight');
    const waiting = Array.from({ length: 50 }, () => timed(cast().owner.get(`${path}?wait=30`)));
    await pause(200);
    await done(writeBack(cast(), media, { run_id, matches: [matched(1, 1)] }));
    for (const { came, seconds } of await Promise.all(waiting)) {
      expect(bodyOf(Run, came)).to.include({ run_id, video_id: media.videoId, state: 'completed' });
      expect(seconds).to.be.below(25);
    }
    expect((await timed(cast().worker.get(`${path}?wait=30`))).seconds).to.be.below(25);
  });

  it('ends without, as things stand', async () => {
    const media = await mediaOf(cast());
    const run_id = await suggest(cast(), media);
    const { came, seconds } = await timed(cast().owner.get(`${media.runs}/${run_id}?wait=0.2`));
    expect(bodyOf(Run, came).state).to.equal('in_flight');
    expect(seconds).to.be.within(0.15, 5);
    await done(writeBack(cast(), media, { run_id, status: 'failed' }));
  });

  it('tells workers of a run as soon as there is one, and lists runs by state, oldest first', async () => {
    const list = async (query: string) => bodyOf(Runs, await cast().worker.get(`/v2/match-runs${query}`)).match_runs;
    expect(await list('?state=in_flight')).to.deep.equal([]);
    const waiting = cast().worker.get('/v2/match-runs?state=in_flight&wait=30');
    await pause(100);
    const [first, second] = [await mediaOf(cast()), await mediaOf(cast())];
    const one = await suggest(cast(), first);
    expect(bodyOf(Runs, await waiting).match_runs.map(({ run_id }) => run_id)).to.deep.equal([one]);
    const other = await commit(cast(), second);
    const open = bodyOf(Runs, await cast().worker.get('/v2/match-runs?state=in_flight&limit=1'));
    expect(open.match_runs.map(({ run_id }) => run_id)).to.deep.equal([one]);
    const next = await list(`?state=in_flight&limit=1&cursor=${open.next_cursor}`);
    expect(next.map(({ run_id, state }) => [run_id, state])).to.deep.equal([[other, 'in_flight']]);
    const ended = await suggested(cast(), await mediaOf(cast()), matched(1, 1));
    expect((await list('?state=completed')).map(({ run_id }) => run_id)).to.include(ended);
    expect((await list('')).map(({ run_id }) => run_id)).to.include.members([one, other, ended]);
    for (const [media, run_id] of [
      [first, one],
      [second, other],
    ] as const)
      await done(writeBack(cast(), media, { run_id, status: 'failed' }));
  });

  it('is refused to others, with bad parameters, and for runs of other videos', async () => {
    const [media, other] = [await mediaOf(cast()), await mediaOf(cast())];
    const run_id = await suggested(cast(), media, matched(1, 1));
    for (const query of ['wait=31', 'wait=-1', 'wait=x', 'wait=', 'state=open', 'limit=0'])
      expectCode(await cast().worker.get(`/v2/match-runs?${query}`), 400, 'bad_query');
    expectCode(await cast().owner.get(`${media.runs}/${run_id}?wait=31`), 400, 'bad_query');
    expectCode(await cast().owner.get(`${other.runs}/${run_id}`), 404, 'unknown_run');
    expectCode(await cast().owner.get(`${media.runs}/none`), 404, 'unknown_run');
    expectCode(await cast().stranger.get(`${media.runs}/${run_id}`), 401, 'not_authorised');
    const refused = await cast().owner.get('/v2/match-runs');
    expectCode(refused, 401, 'not_authorised');
    expect(refused.body).to.have.nested.property('detail.permission', 'WORKER');
  });
});

describe('waiting for match runs with many, on connections of all kinds', () => {
  const cast = castOfAll();
  const count = 60;
  const statuses = (came: string) => came.match(/HTTP\/1\.1 \d+/g) ?? [];
  const states = (came: string) => came.match(/"state":"[a-z_]+"/g) ?? [];
  const [ok, completed] = ['HTTP/1.1 200', '"state":"completed"'];

  /** Sends a request and, as soon as its answer has come, another one on the same connection; answers all that came. */
  const sendAfter = (first: string, second: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(cast().world.url());
      const socket = connect(Number(port), hostname, () => socket.write(first));
      let came = '';
      let isFirst = true;
      socket.setEncoding('utf8').on('data', (text: string) => {
        came += text;
        if (isFirst && came.endsWith('}')) socket.write(second);
        isFirst &&= !came.endsWith('}');
      });
      socket.on('error', reject).on('close', () => resolve(came));
    });
  /** Sends a request and goes away after so many milliseconds, or when the answer comes. */
  const goAway = (request: string, after_ms: number): void => {
    const { hostname, port } = new URL(cast().world.url());
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('error', () => undefined).on('data', () => socket.destroy());
    setTimeout(() => socket.destroy(), after_ms);
  };

  it('answers each in whole and once, and serves what is asked behind it', async () => {
    const media = await mediaOf(cast());
    const run_id = await suggest(cast(), media);
    const path = `${media.runs}/${run_id}`;
    const key = `X-API-Key: ${cast().world.adminKey}\r\n`;
    const ask = (method: string, target: string, version: string, connection = 'keep-alive') =>
      `${method} ${target} HTTP/${version}\r\nHost: x\r\n${key}Connection: ${connection}\r\n\r\n`;
    const wait = `${path}?wait=30`;
    const [waits, last] = [ask('GET', wait, '1.1'), ask('GET', path, '1.1', 'close')];
    const url = cast().world.url();
    const of = (send: () => Promise<string>) => Promise.all(Array.from({ length: count }, send));
    const kinds = Promise.all([
      of(() => sendAfter(waits, last)),
      of(() => sendBytes(url, waits + last)),
      of(() => sendBytes(url, ask('GET', wait, '1.1', 'close'))),
      of(() => sendBytes(url, ask('GET', wait, '1.0', 'close'))),
      of(() => sendBytes(url, ask('HEAD', wait, '1.1', 'close'))),
    ]);
    for (let after_ms = 0; after_ms < 600; after_ms += 10) goAway(waits, after_ms);
    await pause(500);
    await done(writeBack(cast(), media, { run_id, matches: [matched(1, 1)] }));
    const [reused, pipelined, closed, old, heads] = await kinds;
    for (const came of [...reused, ...pipelined]) {
      expect(statuses(came)).to.deep.equal([ok, ok]);
      expect(states(came)).to.deep.equal([completed, completed]);
    }
    for (const came of [...closed, ...old]) {
      expect(statuses(came)).to.deep.equal([ok]);
      expect(states(came)).to.deep.equal([completed]);
    }
    for (const came of heads) {
      expect(statuses(came)).to.deep.equal([ok]);
      expect(came)
        .to.match(/Content-Length: [1-9]\d+\r\n/)
        .and.to.match(/\r\n\r\n$/);
    }
    const plain = await sendBytes(url, last);
    const headersOf = (came: string) =>
      (came.split('\r\n\r\n')[0] ?? '').split('\r\n').filter((line) => !/^(Date|X-Request-Id):/.test(line));
    expect(headersOf(closed[0] ?? '')).to.deep.equal(headersOf(plain));
    expect((await cast().anonymous.get('/readyz')).status).to.equal(200);
  });
});

describe('waiting for match runs that nobody answers', () => {
  it('ends when the run is stale, and when the service is told to end', async () => {
    const cast = await openCast({ match_stale_seconds: 1 });
    try {
      const media = await mediaOf(cast);
      const stale = await suggest(cast, media);
      const { came, seconds } = await timed(cast.owner.get(`${media.runs}/${stale}?wait=20`));
      expect(bodyOf(Run, came).state).to.equal('stale');
      expect(seconds).to.be.within(0.5, 10);
      await untilStale();
      const waiting = timed(cast.worker.get('/v2/match-runs?state=in_flight&wait=30'));
      await pause(100);
      await cast.world.end();
      const last = await waiting;
      expect(bodyOf(Runs, last.came).match_runs).to.deep.equal([]);
      expect(last.seconds).to.be.below(25);
    } finally {
      await cast.world.end().catch(() => undefined);
    }
  });
});
