import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { acceptedConnections } from '../../../adapters/http/accepted-connections.js';

describe('accepted connections', () => {
  const accepted: Socket[] = [];
  let clients: Socket[] = [];
  let server: Server = createServer();
  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => void accepted.push(socket));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(async () => {
    [...clients, ...accepted.splice(0)].forEach((socket) => socket.destroy());
    clients = [];
    await once(server.close(), 'close');
  });

  const portOf = (address: AddressInfo | string | null): number =>
    typeof address === 'object' && address !== null ? address.port : 0;
  /** What the server has of so many clients, in their order; the first send a text each. */
  const connections = async (count: number, ...texts: ReadonlyArray<string>): Promise<ReadonlyArray<Socket>> => {
    for (let at = 0; at < count; at += 1) {
      const client = connect(portOf(server.address()), '127.0.0.1');
      clients.push(client.on('error', () => undefined));
      await once(client, 'connect');
      client.write(texts[at] ?? '');
      while (accepted.length <= at) await setTimeout(1);
    }
    await setTimeout(5);
    return accepted;
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await setTimeout(1);
  };
  const readBy = (socket: Socket): (() => string) => {
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    return () => text;
  };
  const whole = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  it('are served with the whole requests first', async () => {
    const [request, half, ...silent] = await connections(60, whole, 'GET / HTTP/1.1\r\nHost: x');
    const served: Socket[] = [];
    const accept = acceptedConnections((socket) => void served.push(socket));
    const all = [...silent, half, request].filter((socket) => socket !== undefined);
    all.forEach((socket) => accept(socket.resume().pause()));
    await until(() => served.length === all.length);
    expect(new Set(served).size).to.equal(60);
    expect(request && served.indexOf(request)).to.be.below(20);
    expect(half && served.indexOf(half)).to.be.above(20);
  });

  it('keep what came before they were served, and what comes later', async () => {
    const [request, half] = await connections(2, whole, 'GET / HT');
    const texts: Array<() => string> = [];
    const accept = acceptedConnections((socket) => void texts.push(readBy(socket)));
    [request, half].forEach((socket) => socket !== undefined && accept(socket));
    await until(() => texts.length === 2);
    clients[1]?.write('TP/1.1\r\n\r\n');
    await until(() => texts.every((text) => text().endsWith('\r\n\r\n')));
    expect(texts.map((text) => text()).toSorted()).to.deep.equal(['GET / HTTP/1.1\r\n\r\n', whole].toSorted());
  });

  it('are not served when their client has left, and end', async () => {
    const [ended, broken, stays] = await connections(3);
    clients[0]?.end();
    clients[1]?.resetAndDestroy();
    const served: Socket[] = [];
    const accept = acceptedConnections((socket) => void served.push(socket));
    await setTimeout(20);
    [ended, broken].forEach((socket) => socket !== undefined && accept(socket.resume()));
    await until(() => ended?.destroyed === true && broken?.destroyed === true);
    if (stays !== undefined) accept(stays);
    await until(() => served.length > 0);
    expect(served.map((socket) => socket === stays)).to.deep.equal([true]);
  });
});
