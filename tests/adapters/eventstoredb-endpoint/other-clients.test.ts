import { randomUUID } from 'node:crypto';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb, { type ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, credentials } from '@grpc/grpc-js';
import { expect } from 'chai';
import { type TestServer, startTestServer } from '../../support/event-store/eventstoredb-server.js';

const { AppendReq, ReadReq } = streamsPb;

const streamOf = (name: string) => new sharedPb.StreamIdentifier().setStreamName(Buffer.from(name).toString('base64'));

const structured = (id: string) => {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return new sharedPb.UUID.Structured()
    .setMostSignificantBits(String(bytes.readBigInt64BE(0)))
    .setLeastSignificantBits(String(bytes.readBigInt64BE(8)));
};

describe('EventStoreDB endpoint: clients in other languages', () => {
  let server: TestServer;
  let client: StreamsClient;
  before(async () => {
    server = await startTestServer();
    client = new StreamsClient(`localhost:${server.port}`, credentials.createInsecure());
  });
  after(async () => {
    client.close();
    await server.stop();
  });

  const append = (id: string, properties: Readonly<Record<string, string>>): Promise<string> =>
    new Promise((resolve, reject) => {
      const call = client.append((error, response) =>
        error === null ? resolve(response.getSuccess()?.getCurrentRevision() ?? '') : reject(error),
      );
      const options = new AppendReq.Options().setStreamIdentifier(streamOf('s')).setAny(new sharedPb.Empty());
      const message = new AppendReq.ProposedMessage().setId(new sharedPb.UUID().setStructured(structured(id)));
      Object.entries(properties).forEach(([key, value]) => message.getMetadataMap().set(key, value));
      message.setData(Buffer.from('{"a":1}').toString('base64'));
      call.write(new AppendReq().setOptions(options));
      call.write(new AppendReq().setProposedMessage(message));
      call.end();
    });

  const read = async (direction: 0 | 1): Promise<ReadResp[]> => {
    const options = new ReadReq.Options()
      .setStream(new ReadReq.Options.StreamOptions().setStreamIdentifier(streamOf('s')).setStart(new sharedPb.Empty()))
      .setReadDirection(direction)
      .setCount('10')
      .setNoFilter(new sharedPb.Empty())
      .setUuidOption(new ReadReq.Options.UUIDOption().setStructured(new sharedPb.Empty()));
    const found: ReadResp[] = [];
    return new Promise((resolve, reject) => {
      const call = client.read(new ReadReq().setOptions(options));
      call.on('data', (response: ReadResp) => found.push(response));
      call.on('error', reject);
      call.on('end', () => resolve(found));
    });
  };

  it('may write and read ids as two integers', async () => {
    const ids = ['f47ac10b-58cc-4372-a567-0e02b2c3d479', '00000000-0000-4000-8000-000000000001'];
    for (const [revision, id] of ids.entries())
      expect(await append(id, { type: 'T', 'content-type': 'application/json' })).to.equal(String(revision));
    const found = (await read(0)).map((response) =>
      response.getEvent()?.getEvent()?.getId()?.getStructured()?.toObject(),
    );
    expect(found).to.deep.equal(ids.map((id) => structured(id).toObject()));
  });

  it('get an error that names the missing property of an event', async () => {
    const marks = async (properties: Readonly<Record<string, string>>) => {
      try {
        await append(randomUUID(), properties);
      } catch (error) {
        if (error instanceof Error && 'metadata' in error && error.metadata instanceof Metadata)
          return error.metadata.get('exception');
      }
      return null;
    };
    expect(await marks({ type: 'T' })).to.deep.equal(['missing-required-metadata-property']);
    expect(await marks({ 'content-type': 'application/json' })).to.deep.equal(['missing-required-metadata-property']);
  });
});
