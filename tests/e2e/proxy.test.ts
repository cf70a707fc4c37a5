import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { newKey, httpClient } from '../support/http-client.js';
import { parsedJson } from '../../adapters/runtime/json.js';
import { needs } from '../support/browser/program.js';
import { expectOk } from '../support/e2e/media.js';
import { until } from '../support/event-store/stores.js';
import { howToGetNginx, nginxProgram, type Proxy, startProxy } from '../support/proxy/nginx.js';
import { newSession, resultsPath, stageOfAll } from '../support/realtime/stage.js';

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string;
}

describe('the service behind nginx, configured as in the example', () => {
  const stage = stageOfAll();
  let proxy: Proxy | null = null;
  let session: ClientHttp2Session;
  let keys: Readonly<Record<'owner' | 'worker', string>>;

  before(async function () {
    needs(this, nginxProgram, 'nginx', howToGetNginx);
    const { admin, url } = stage().world;
    proxy = await startProxy(url());
    session = connect(`https://localhost:${proxy.port}`, { ca: proxy.ca });
    const worker = await newKey(admin, 'worker', { permissions: ['WORKER'] });
    keys = { owner: await newKey(admin, 'owner'), worker };
  });
  after(async () => {
    session?.destroy();
    await proxy?.stop();
  });

  /** Sends a request over TLS and HTTP/2. */
  const send = async (key: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
    const stream = session.request({
      ':method': method,
      ':path': path,
      'x-api-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...headers,
    });
    let status = 0;
    let encoding: string | undefined;
    let text = '';
    stream.once('response', (received) => {
      status = received[':status'] ?? 0;
      encoding = received['content-encoding'];
    });
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    stream.end(body);
    await once(stream, 'end');
    return { status, text, encoding, body: parsedJson(text) };
  };
  const owner = () => httpClient(stage().world.url(), keys.owner);

  it('compresses the files of the console, not the answers, which keep their ETags', async () => {
    const { text } = await send(keys.owner, '/console/');
    const script = /src="(\/console\/[^"]+)"/.exec(text)?.[1] ?? '';
    const accepting = { headers: { 'accept-encoding': 'gzip' } };
    expect(await send(keys.owner, script, accepting)).to.include({ status: 200, encoding: 'gzip' });
    expect(await send(keys.owner, '/v2/videos', accepting)).to.include({ status: 200, encoding: undefined });
  });

  it('takes 64 MiB for an analysis, and 2 MiB for the rest: a larger body is refused in the form of the service', async () => {
    await expectOk(owner().post('/v2/videos', { video_id: 'large' }));
    const analysis = (spaces: number, headers = {}) =>
      send(keys.worker, '/v2/videos/large/analysis', {
        method: 'PUT',
        body: `{"status":"completed","faces":[{"id":1,"tracks":[{"start":0,"end":10}]}]${' '.repeat(spaces)}}`,
        headers,
      });
    expect(await analysis(5_000_000)).to.have.property('status', 200);
    // Refused by the length that is announced.
    expect(await analysis(0, { 'content-length': 64 * 2 ** 20 + 1 })).to.have.property('status', 413);
    const names = (bytes: number) => {
      const body = '{"names":[]}';
      const path = '/v1/videos/large/faces/names';
      return send(keys.owner, path, { method: 'PUT', body: body + ' '.repeat(bytes - body.length) });
    };
    expect(await names(2 * 2 ** 20)).to.have.property('status', 422);
    const refused = await names(2 * 2 ** 20 + 1);
    expect(refused).to.have.property('status', 413);
    expect(refused).to.have.nested.property('body.detail.code', 'payload_too_large');
  });

  it('passes on a long poll when it is answered', async () => {
    const waiting = send(keys.worker, '/v2/audios?status=queue&wait=30');
    await setTimeout(200);
    await expectOk(owner().post('/v2/audios', { audio_id: 'awaited', kind: 'upload' }));
    expect(await waiting).to.have.nested.property('body.audios[0].audio_id', 'awaited');
  });

  it('opens the WebSocket of a realtime session, and does not log its token', async () => {
    const { session_id, token } = await newSession(stage().owner);
    const query = `?session_id=${session_id}&token=${token}`;
    const socket = new WebSocket(`wss://localhost:${proxy?.port}${resultsPath}${query}`, { ca: proxy?.ca });
    const frame = await new Promise((resolve, reject) => {
      socket.once('message', (data: Buffer) => resolve(parsedJson(data.toString())));
      socket.once('error', reject);
    });
    expect(frame).to.have.property('session_id', session_id);
    socket.close();
    await once(socket, 'close');
    await until('the line in the log', () => proxy?.log().includes(`${resultsPath}"`) === true);
    expect(proxy?.log()).not.to.include(token);
  });
});
