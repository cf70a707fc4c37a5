import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb, { type ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { credentials } from '@grpc/grpc-js';
import { expect } from 'chai';
import { newEvent } from '../../support/event-store/stores.js';
import { type ProtocolEndpoint, startEndpoint } from '../../support/event-store/use-adapter.js';

const { Options } = streamsPb.ReadReq;

const structured = (id: string) => {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return new sharedPb.UUID.Structured()
    .setMostSignificantBits(String(bytes.readBigInt64BE(0)))
    .setLeastSignificantBits(String(bytes.readBigInt64BE(8)));
};

const empty = new sharedPb.Empty();

const options = () => new Options().setCount('2').setUuidOption(new Options.UUIDOption().setStructured(empty));

const ofStream = (stream: string) => {
  const name = new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'));
  return options().setStream(new Options.StreamOptions().setStreamIdentifier(name).setStart(empty)).setNoFilter(empty);
};

/** The newest events of these streams. */
const ofAll = (regex: string) =>
  options()
    .setAll(new Options.AllOptions().setEnd(empty))
    .setReadDirection(Options.ReadDirection.BACKWARDS)
    .setFilter(
      new Options.FilterOptions()
        .setStreamIdentifier(new Options.FilterOptions.Expression().setRegex(regex))
        .setCheckpointintervalmultiplier(1),
    );

describe('EventStoreDB endpoint: clients in other languages', () => {
  let endpoint: ProtocolEndpoint;
  let client: StreamsClient;
  before(async () => {
    endpoint = await startEndpoint();
    client = new StreamsClient(`localhost:${endpoint.port}`, credentials.createInsecure());
  });
  after(async () => {
    client.close();
    await endpoint.stop();
  });

  const read = (wanted: ReadReq.Options) => {
    const found: Array<ReadResp.ReadEvent.RecordedEvent | undefined> = [];
    return new Promise<typeof found>((resolve, reject) => {
      const call = client.read(new streamsPb.ReadReq().setOptions(wanted));
      call.on('data', (response: ReadResp) => found.push(response.getEvent()?.getEvent()));
      call.on('error', reject);
      call.on('end', () => resolve(found));
    });
  };

  it('may read ids as two integers', async () => {
    const ids = ['f47ac10b-58cc-4372-a567-0e02b2c3d479', '00000000-0000-4000-8000-000000000001'];
    const events = ids.map((id) => newEvent({ id }));
    await endpoint.append('s', events);
    const found = await read(ofStream('s'));
    expect(found.map((event) => event?.getId()?.getStructured()?.toObject())).to.deep.equal(
      ids.map((id) => structured(id).toObject()),
    );
  });

  it('may read the newest events that pass a filter', async () => {
    await endpoint.append('wanted-1', 3);
    await endpoint.append('other-1', 300);
    const found = await read(ofAll('^wanted-'));
    expect(found.map((event) => event?.getStreamRevision())).to.deep.equal(['2', '1']);
    expect(await read(ofAll('^none-'))).to.deep.equal([]);
  });
});
