import { expect } from 'chai';
import { type ResultsClient, connectResults } from '../support/realtime/results-client.js';
import {
  connect,
  endedOf,
  listen,
  newSession,
  openStage,
  pathOf,
  resultsPath,
  stageOfAll,
} from '../support/realtime/stage.js';

const unknown = '01900000-0000-7000-8000-000000000000';

describe('the results socket', () => {
  const stage = stageOfAll();
  const dial = (query: string, handshake: Parameters<typeof connectResults>[1] = {}): ResultsClient =>
    connectResults(`${stage().world.url()}${resultsPath}${query}`, handshake);
  const refused = async (client: ResultsClient, code: number, reason: string): Promise<void> => {
    expect(await client.closed).to.deep.equal({ code, reason });
    expect(client.frames).to.deep.equal([]);
  };

  it('is refused without a token, then without a valid one, a session_id, credits or a session', async () => {
    const { account, owner, world } = stage();
    const { account_id, client } = await account(1);
    const [poor, own, other] = [await newSession(client), await newSession(owner), await newSession(owner)];
    await world.admin.post(`/v1/accounts/${account_id}/credits`, { amount: -1, reason: 'for a test' });
    const ended = await newSession(owner);
    endedOf(await owner.post(pathOf(ended, '/end')));
    const wrong = ['x', `${unknown}.x`, `${own.token}x`, own.session_id, own.token.slice(0, -1), 'x'.repeat(5_000)];
    const refusals: Readonly<Record<string, ReadonlyArray<string>>> = {
      '1008 Missing authentication token': ['', `?session_id=${unknown}`, '?token=', '?session_id='],
      '1008 Invalid or expired token': [
        ...wrong.flatMap((token) => [`?token=${token}`, `?session_id=${own.session_id}&token=${token}`]),
        `?session_id=${own.session_id}&token=${other.token}`,
      ],
      '1008 Missing session_id query parameter': [
        `?token=${own.token}`,
        `?token=${own.token}&session_id=`,
        `?token=${poor.token}`,
      ],
      '1008 Insufficient credits for realtime session': [poor.session_id, unknown].map(
        (id) => `?session_id=${id}&token=${poor.token}`,
      ),
      '4404 Session not found': [
        ...[unknown, 'no-such', '%00'].map((id) => `?session_id=${id}&token=${own.token}`),
        `?session_id=${ended.session_id}&token=${ended.token}`,
      ],
    };
    for (const [close, queries] of Object.entries(refusals))
      for (const query of queries) await refused(dial(query), Number(close.slice(0, 4)), close.slice(5));
    for (const handshake of [{ headers: { Authorization: 'Basic eDp5' } }, { protocols: ['results'] }])
      await refused(dial('', handshake), 1008, 'Missing authentication token');
  });

  it('accepts the token as a header, in the query, and as a subprotocol', async () => {
    const { owner } = stage();
    const ways: ReadonlyArray<readonly [(token: string) => Parameters<typeof connectResults>[1], string]> = [
      [(token) => ({ headers: { Authorization: `Bearer ${token}` } }), ''],
      [(token) => ({ protocols: [`bearer.${token}`] }), 'bearer.'],
      [(token) => ({ protocols: ['results', `bearer.${token}`] }), 'results'],
    ];
    for (const [handshake, protocol] of ways) {
      const { session_id, token } = await newSession(owner);
      const client = dial(`?session_id=${session_id}`, handshake(token));
      expect(await client.waitFor(({ type }) => type === 'ready')).to.include({ type: 'ready', session_id });
      expect(client.socket.protocol.replace(token, '')).to.equal(protocol);
      client.socket.terminate();
    }
    (await listen(await newSession(owner))).socket.terminate();
  });

  it('sends media states and results, in order', async () => {
    const { account, engine } = stage();
    const owner = (await account(500)).client;
    const session = await newSession(owner);
    const client = await listen(session);
    await connect(stage(), owner, session);
    const activity = { kind: 'voice_activity' as const, start: 0, end: 0.25, speaking: true, level_dbfs: -20.5 };
    const video = { kind: 'video_stats' as const, start: 0, end: 1, frames: 25, width: 640, height: 480 };
    for (const report of [activity, video, activity]) engine.report(session.session_id, report);
    engine.report(session.session_id, { kind: 'media', state: 'disconnected' });
    await client.waitFor(({ state }) => state === 'disconnected');
    const frames = client.frames.map(({ at: _at, session_id, ...frame }) => {
      expect(session_id).to.equal(session.session_id);
      return frame;
    });
    expect(frames).to.deep.equal([
      { type: 'ready', balance: 500 },
      { type: 'media', state: 'connected' },
      { type: 'result', seq: 1, ...activity },
      { type: 'result', seq: 2, ...video },
      { type: 'result', seq: 3, ...activity },
      { type: 'media', state: 'disconnected' },
    ]);
  });

  it('exists once for each session: a second is refused, and the first continues', async () => {
    const { owner, engine } = stage();
    const session = await newSession(owner);
    const first = await listen(session);
    const second = connectResults(`${session.results_url}&token=${session.token}`);
    await refused(second, 4429, 'Session has a results socket already');
    await connect(stage(), owner, session);
    engine.report(session.session_id, { kind: 'media', state: 'failed' });
    await first.waitFor(({ state }) => state === 'failed');
  });

  it('is not resumed once it is closed', async () => {
    const { owner } = stage();
    const session = await newSession(owner);
    const client = await listen(session);
    client.socket.terminate();
    await client.closed;
    await new Promise((resume) => setTimeout(resume, 50));
    const again = connectResults(`${session.results_url}&token=${session.token}`);
    await refused(again, 4409, 'Session is not resumable');
    expect((await owner.get(pathOf(session))).status).to.equal(200);
  });

  it('requires an upgrade and GET', async () => {
    const { owner } = stage();
    expect((await owner.get(resultsPath)).status).to.equal(426);
    const { status, headers } = await owner.post(resultsPath, {});
    expect([status, headers.get('Allow')]).to.deep.equal([405, 'GET']);
  });
});

describe('a page of another origin', () => {
  it('may connect when its origin is allowed or the service’s own, and so may clients without one', async () => {
    const { world } = await openStage({ allowed_origins: ['https://App.example'] });
    const url = `${world.url()}${resultsPath}`;
    for (const origin of ['https://app.example', world.url(), null])
      expect(await connectResults(url, origin === null ? {} : { headers: { Origin: origin } }).closed).to.include({
        code: 1008,
      });
    for (const origin of ['https://evil.example', 'null'])
      await connectResults(url, { headers: { Origin: origin } }).closed.then(
        () => expect.fail('connected'),
        (error: unknown) => expect(String(error)).to.include('403'),
      );
    await world.end();
  });
});
