import { expect } from 'chai';
import { describe, it, after, before } from 'mocha';
import { type FaultProxy, startFaultProxy } from '../support/event-store/fault-proxy.js';
import { type TestServer, startTestServer } from '../support/event-store/eventstoredb-server.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { type ServiceInProcess, adminKey, startServiceInProcess } from '../support/service-process.js';

/** Counts calls to the server and its answers, except for open subscriptions. */
const watched = (proxy: FaultProxy) => {
  const answers: string[] = [];
  proxy.faults.rewrite = (method, message) => {
    if (method === 'BatchAppend') answers.push(method);
    return [message];
  };
  return {
    /** Calls that were started, and appends that were answered, during the work. */
    during: async (work: () => Promise<unknown>) => {
      const before = proxy.calls.length;
      answers.length = 0;
      await work();
      return { calls: proxy.calls.slice(before).map(({ method }) => method), appends: answers.length };
    },
  };
};

describe('a PUT speaker-face-match over HTTP on an EventStoreDB', () => {
  let server: TestServer;
  let proxy: FaultProxy;
  let folder: { readonly path: string; readonly remove: () => Promise<void> };
  let service: ServiceInProcess;
  let admin: HttpClient;
  before(async () => {
    server = await startTestServer({ version: '26' });
    proxy = await startFaultProxy(server.port);
    folder = await temporaryFolder();
    service = await startServiceInProcess(folder.path, { EVENT_STORE: proxy.url });
    admin = httpClient(service.url, adminKey);
    const faces = [1, 2].map((id) => ({ id, tracks: [] }));
    const speakers = [1, 2].map((speaker_id) => ({ speaker_id }));
    await admin.post('/v2/videos', { video_id: 'v' });
    await admin.post('/v2/audios', { audio_id: 'a', video_id: 'v' });
    await admin.put('/v2/videos/v/analysis', { status: 'completed', faces });
    await admin.put('/v2/audios/a/analysis', { status: 'completed', speakers, segments: [] });
  });
  after(async () => {
    await service.stop();
    await proxy.stop();
    await server.stop();
    await folder.remove();
  });

  const match = (face_id: number, speaker_id: number, name?: string) => async () => {
    const answer = await admin.put('/v2/videos/v/speaker-face-match', {
      mappings: [{ face_id, speaker_id, ...(name === undefined ? {} : { name }) }],
    });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  };

  it('makes one append for each stream that it writes, and no other call', async () => {
    await match(1, 1)();
    await match(1, 2)();
    const { during } = watched(proxy);
    const history = await during(() => admin.get('/v2/videos/v/history'));
    expect(history.calls, 'reads are seen').to.include('Read');
    expect(await during(match(2, 1))).to.deep.equal({ calls: [], appends: 1 });
    expect(await during(match(1, 1))).to.deep.equal({ calls: [], appends: 1 });
    expect(await during(match(1, 2, 'Grace Hopper'))).to.deep.equal({ calls: [], appends: 2 });
  });
});
