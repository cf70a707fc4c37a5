import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import {
  ConnectionError,
  type Fetch,
  InsufficientCreditsError,
  MediaAnalysis,
  type ResultsFrame,
  ResultsClosedError,
  TimeoutError,
  RevisionChangedError,
} from '../../adapters/client/index.js';
import { stageOfAll } from '../support/realtime/stage.js';
import { type World, startWorld } from '../support/world.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const example = (file: string): string => join(root, 'docs/examples/client', file);

/** Runs an example program of the documents with the package installed. */
const ran = (file: string, env: Readonly<Record<string, string>>, input = '') =>
  new Promise<{ readonly code: unknown; readonly out: string; readonly err: string }>((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: 50_000 };
    const child = execFile(process.execPath, [example(file)], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? 'killed'), out, err }),
    );
    child.stdin?.end(input);
  });

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('did not reject'),
    (error: unknown) => error,
  );

describe('the client and the service', function () {
  this.timeout(60_000);
  let world: World;
  before(async () => {
    world = await startWorld({ match_worker: 'embedded' });
  });
  after(() => world.end());

  const asAdmin = (fetch?: Fetch): MediaAnalysis =>
    new MediaAnalysis({ baseUrl: world.url(), apiKey: world.adminKey, ...(fetch === undefined ? {} : { fetch }) });
  const env = () => ({ MEDIA_ANALYSIS_URL: world.url(), MEDIA_ANALYSIS_API_KEY: world.adminKey });

  /** A video and its audio as in the examples, ready for questions. */
  const imported = async (client: MediaAnalysis) => {
    const { video_id } = await client.videos.create({ title: 'An interview' });
    const { audio_id } = await client.audios.create({ video_id });
    await client.videos.recordAnalysis(video_id, readFileSync(example('faces.json'), 'utf8'));
    await client.audios.recordAnalysis(audio_id, readFileSync(example('talk.json'), 'utf8'));
    return { video_id, audio_id };
  };

  it('does the main job in a program of 40 lines', async () => {
    expect(readFileSync(example('main-job.mjs'), 'utf8').trimEnd().split('\n')).to.have.length.at.most(40);
    const { code, out, err } = await ran('main-job.mjs', env());
    expect(err).to.equal('');
    expect(code).to.equal(0);
    expect(out)
      .to.match(/suggested: face 1 is speaker 1, 0\.\d+/)
      .and.to.match(/undone: .*face 1 \(name.*speaker_id.*\)/)
      .and.include('speaker 2: Grace Hopper, who said “')
      .and.to.match(/name_inference: 1\.\d+ credits, 1 charges/);
  });

  it('gives refused tags as errors, with the key as path', async () => {
    const client = asAdmin();
    const { video_id } = await client.videos.create({});
    const tags = [{ key: 'none', value: 'x' }];
    const error = await rejection(client.tags.import(video_id, { source: 'importer.x', tags }));
    expect(error).to.have.deep.property('errors', [{ path: 'none', message: 'is not in the tag registry' }]);
  });

  it('builds a review tool in 40 lines', async () => {
    expect(readFileSync(example('review.mjs'), 'utf8').trimEnd().split('\n')).to.have.length.at.most(40);
    const admin = asAdmin();
    const { account_id } = await admin.accounts.create({ account_id: 'reviewer' });
    const { key } = await admin.keys.create(account_id, { permissions: ['WORKER'] });
    const client = new MediaAnalysis({ baseUrl: world.url(), apiKey: key });
    const { video_id } = await imported(client);
    await client.runs.wait(await client.matches.suggest(video_id));
    const as = { ...env(), MEDIA_ANALYSIS_API_KEY: key };
    const { code, out, err } = await ran('review.mjs', as, '1\nu\nn\n1\n');
    expect(err).to.equal('');
    expect(code).to.equal(0);
    expect(out)
      .to.match(/who is speaker \d\? \(0 answered\)\n  1: face \d, 0\.\d+/)
      .and.include('  undone\n')
      .and.to.match(/2 answered\n$/);
    const { decisions } = await client.decisions.list(video_id);
    expect(decisions.map(({ verdict, face_id }) => [verdict, face_id === null])).to.deep.equal([
      ['confirmed', true],
      ['confirmed', false],
    ]);
  });

  it('limits the price, and charges once, however many answers are lost', async () => {
    const plain = asAdmin();
    const { account_id } = await plain.me.get();
    await plain.credits.grant(account_id, { amount: 100, reason: 'a test' });
    const { audio_id } = await imported(plain);
    const before = await plain.credits.usage(account_id);
    let lost = 0;
    const losing = asAdmin(async (url, init) => {
      const answer = await fetch(url, init);
      await answer.clone().text();
      if (init.method === 'GET' || lost === 3) return answer;
      lost += 1;
      throw new TypeError('terminated');
    });
    const question = { target_speaker_ids: [1, 2] };
    const tooDear = await rejection(plain.names.suggest(audio_id, { ...question, max_credits: 1 }));
    expect(tooDear).to.be.instanceOf(InsufficientCreditsError).and.include({ code: null, reason: 'max_credits' });
    const { data, response } = await losing.names.suggest(audio_id, question).withResponse();
    expect(lost).to.equal(3);
    expect(data.map(({ name }) => name)).to.deep.equal(['Ada Lovelace', 'Grace Hopper']);
    expect(response).to.include({ status: 200, replayed: true, model: 'embedded-rules-1' });
    const { total } = await plain.credits.usage(account_id);
    expect(total.charges - before.total.charges).to.equal(1);
  });

  it('reads its own writes, and writes only to the revision that was read, if requested', async () => {
    const sent: Array<readonly [string, string | undefined]> = [];
    const client = asAdmin((url, init) => {
      sent.push([init.method, init.headers['X-Min-Position']]);
      return fetch(url, init);
    });
    await client.me.get();
    const { data, response } = await client.videos.create().withResponse();
    expect((await client.videos.get(data.video_id)).video_id).to.equal(data.video_id);
    expect(sent).to.deep.equal([
      ['GET', undefined],
      ['POST', undefined],
      ['GET', response.position ?? ''],
    ]);
    const { response: read } = await client.videos.get(data.video_id).withResponse();
    const ifMatch = read.revision ?? -1;
    expect((await client.videos.update(data.video_id, { title: 'two' }, { ifMatch })).title).to.equal('two');
    const error = await rejection(client.videos.update(data.video_id, { title: 'three' }, { ifMatch }));
    expect(error).to.be.instanceOf(RevisionChangedError).and.include({ status: 412, code: 'revision_changed' });
  });
});

describe('the results of a session in the client', () => {
  const stage = stageOfAll();
  const funded = async (): Promise<MediaAnalysis> => {
    const { url, adminKey } = stage().world;
    const client = new MediaAnalysis({ baseUrl: url(), apiKey: adminKey, webSocket: WebSocket });
    await client.credits.grant((await client.me.get()).account_id, { amount: 100, reason: 'a test' });
    return client;
  };
  const all = async (frames: AsyncIterable<ResultsFrame>): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of frames) types.push(type);
    return types;
  };

  it('come one after the other until the session ends, also in a page that has only its token', async () => {
    const from = await funded();
    const { session_id, session_url, token, ...session } = await from.sessions.create();
    const page = new MediaAnalysis({ baseUrl: new URL(session_url).origin, token, webSocket: WebSocket });
    await page.sessions.addCandidate(session_id, { candidate: '' });
    expect(await page.sessions.get(session_id)).to.include({ session_id, status: 'created' });
    const renewed = await page.sessions.renewToken(session_id);
    const types: string[] = [];
    for await (const { type } of page.sessions.results({ session_id, ...session, token: renewed.token })) {
      types.push(type);
      if (type === 'ready') {
        await page.sessions.offer(session_id, { type: 'offer', sdp: 'v=0\r\n' });
        stage().engine.report(session_id, { kind: 'media', state: 'connected' });
      }
      if (type === 'media') expect(await page.sessions.end(session_id)).to.include({ status: 'ended' });
    }
    expect(types).to.deep.equal(['ready', 'media', 'usage']);
    expect(await rejection(page.me.get())).to.include({ status: 401 });
  });

  it('throw with code and reason when the socket is refused', async () => {
    const from = await funded();
    const session = await from.sessions.create();
    const error = await rejection(all(from.sessions.results({ ...session, token: 'another' })));
    expect(error)
      .to.be.instanceOf(ResultsClosedError)
      .and.include({ close_code: 1008, reason: 'Invalid or expired token' });
    const nowhere = { ...session, results_url: 'ws://127.0.0.1:9/' };
    expect(await rejection(all(from.sessions.results(nowhere)))).to.be.instanceOf(ConnectionError);
  });

  it('end when the reader stops, and when it aborts', async () => {
    const from = await funded();
    const session = await from.sessions.create();
    for await (const frame of from.sessions.results(session)) if (frame.type === 'ready') break;
    const stop = new AbortController();
    const other = await from.sessions.create();
    const reason = new Error('enough');
    const reading = rejection(all(from.sessions.results(other, { signal: stop.signal })));
    setTimeout(() => stop.abort(reason), 200);
    expect(await reading).to.equal(reason);
  });

  it('fail if the socket does not open in time', async () => {
    class Silent {
      addEventListener(): void {}
      close(): void {}
    }
    const session = { session_id: 'x', token: 'y', results_url: 'ws://127.0.0.1/' };
    const waiting = new MediaAnalysis({ baseUrl: 'http://127.0.0.1', apiKey: 'k', webSocket: Silent, timeoutMs: 20 });
    expect(await rejection(all(waiting.sessions.results(session)))).to.be.instanceOf(TimeoutError);
  });
});
