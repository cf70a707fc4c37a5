import { expect } from 'chai';
import { WebSocket } from 'ws';
import {
  ConnectionError,
  MediaAnalysis,
  type ResultsFrame,
  ResultsClosedError,
  TimeoutError,
  type WebSocketConstructor,
} from '../../adapters/client/index.js';
import { stageOfAll } from '../support/realtime/stage.js';

describe('the results of a session in the client', () => {
  const stage = stageOfAll();
  const client = (webSocket: WebSocketConstructor = WebSocket, timeoutMs = 5_000): MediaAnalysis =>
    new MediaAnalysis({ baseUrl: stage().world.url(), apiKey: stage().world.adminKey, webSocket, timeoutMs });
  const funded = async (): Promise<MediaAnalysis> => {
    const funds = client();
    const { account_id } = await funds.me.get();
    await funds.credits.grant(account_id, { amount: 100, reason: 'a test' });
    return funds;
  };
  const rejection = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('did not reject'),
      (error: unknown) => error,
    );
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

  it('fail if the socket never opens', async () => {
    class Silent {
      addEventListener(): void {}
      close(): void {}
    }
    const session = { session_id: 'x', token: 'y', results_url: 'ws://127.0.0.1/' };
    expect(await rejection(all(client(Silent, 20).sessions.results(session)))).to.be.instanceOf(TimeoutError);
  });
});
