import { setTimeout } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { constVoid } from 'fp-ts/lib/function.js';
import { createClient, type Client } from '../../../adapters/event-store/eventstoredb/client.js';
import { type Connection, openConnection } from '../../../adapters/event-store/eventstoredb/connection.js';
import { startSubscription } from '../../../adapters/event-store/eventstoredb/subscription.js';
import { workOnce } from '../../../adapters/event-store/eventstoredb/work-once.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { type TestServer, startTestServer } from '../../support/event-store/eventstoredb-server.js';
import { silentLog } from '../../support/event-store/silent-log.js';

const deadline = 100;

/** How a call ended; null while it is open. */
interface Ending {
  code: number | null;
}

/** The ending of a stream that its caller left. */
const endingOf = (stream: { readonly on: (event: 'error', heard: (error: unknown) => void) => unknown }): Ending => {
  const ending: Ending = { code: null };
  stream.on('error', (error) => {
    if (error instanceof Error && 'code' in error) ending.code = Number(error.code);
  });
  return ending;
};

describe('a stream of the EventStoreDB adapter that opens after its deadline', () => {
  let server: TestServer;
  let client: Client;
  let real: Connection;
  let connection: Connection;
  const late: Ending[] = [];
  beforeEach(async () => {
    server = await startTestServer();
    const address = addressOf(server.url);
    client = createClient(address);
    real = openConnection({ address, log: silentLog, probe: (by) => by.features(1_000), onReturn: constVoid });
    connection = { ...real, client: () => client, failed: constVoid, deadline };
    const [read, consume] = [client.read.bind(client), client.consume.bind(client)];
    client.read = async (...given) => {
      await setTimeout(3 * deadline);
      const stream = await read(...given);
      late.push(endingOf(stream));
      return stream;
    };
    client.consume = async () => {
      await setTimeout(3 * deadline);
      const stream = await consume();
      late.push(endingOf(stream));
      return stream;
    };
    late.length = 0;
  });
  afterEach(async () => {
    await real.close();
    await client.release();
    await server.stop();
  });
  const untilLate = async (): Promise<void> => {
    while (late.length === 0 || late.some(({ code }) => code === null)) await setTimeout(10);
    expect(late[0]).to.deep.equal({ code: status.CANCELLED });
  };

  it('is closed: that of a subscription', async () => {
    const handlers = { onPage: () => Promise.resolve(), onFailure: constVoid };
    const subscription = startSubscription(connection, null, {}, handlers);
    await untilLate();
    await subscription.close();
  });

  it('is closed: that of shared work', async () => {
    const closing = new AbortController();
    const work = {
      group: 'g',
      concurrency: 1,
      wanted: () => true,
      onEvent: () => Promise.resolve(),
      onDone: constVoid,
    };
    expect(await workOnce({ ...work, connection, closing: closing.signal })).to.equal(null);
    await untilLate();
  });
});
