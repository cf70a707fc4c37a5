import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import { describe, it, after, before } from 'mocha';
import { type FaultProxy, startFaultProxy } from '../support/event-store/fault-proxy.js';
import { type TestServer, startTestServer } from '../support/event-store/eventstoredb-server.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { type ServiceInProcess, adminKey, startServiceInProcess } from '../support/service-process.js';

/** The streams to which the server is asked to append during the work, without the checkpoints of processes. */
const appendsDuring = async ({ calls }: FaultProxy, work: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const before = calls.length;
  await work();
  return calls
    .slice(before)
    .filter(({ method }) => method === 'Append')
    .map(({ request }) => {
      const identifier = streams.AppendReq.deserializeBinary(request).getOptions()?.getStreamIdentifier();
      return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();
    })
    .filter((stream) => !stream.startsWith('checkpoint-'));
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

  it('makes one append for each stream that it writes', async () => {
    await match(1, 1)();
    await match(1, 2)();
    expect(await appendsDuring(proxy, () => admin.get('/v2/videos/v/history'))).to.deep.equal([]);
    expect(await appendsDuring(proxy, match(2, 1))).to.deep.equal(['video-v']);
    expect(await appendsDuring(proxy, match(1, 1))).to.deep.equal(['video-v']);
    expect(await appendsDuring(proxy, match(1, 2, 'Grace Hopper'))).to.deep.equal(['video-v', 'audio-a']);
  });
});
