import { type IncomingMessage, type RequestListener, createServer } from 'node:http';
import { type Socket, connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { staggerRequests } from '../../../adapters/http/connections/stagger-requests.js';

describe('staggered requests', () => {
  const sockets: Socket[] = [];
  const servers: Array<ReturnType<typeof createServer>> = [];
  afterEach(() => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    servers.splice(0).forEach((server) => server.close());
  });

  /** A server that answers `/free` at once and staggers everything else. */
  const portOf = async (serve: (...given: Parameters<RequestListener>) => unknown): Promise<number> => {
    const isFree = ({ url }: IncomingMessage): boolean => url === '/free';
    const listener: RequestListener = (request, response) =>
      void (isFree(request) ? response.end('free;') : serve(request, response));
    const server = createServer(staggerRequests(listener, isFree)).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  const client = (port: number) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    let text = '';
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    return { socket, answers: () => text.match(/\w+;/g) ?? [] };
  };
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await setTimeout(5);
  };

  it('let requests that are not staggered run in between', async () => {
    let served = 0;
    const port = await portOf((_, response) => {
      const end = performance.now() + 5;
      while (performance.now() < end);
      served += 1;
      response.end('slow;');
    });
    const many = Array.from({ length: 100 }, () => client(port));
    for (const { socket } of many) socket.write(get('/slow'));
    await until(() => served > 0);
    const health = client(port);
    health.socket.write(get('/free'));
    await until(() => health.answers().length === 1);
    expect(served).to.be.below(60);
    await until(() => many.every(({ answers }) => answers().length === 1));
  });

  /** In how many turns of the event loop twenty simultaneous requests start, each with the given work. */
  const turnsOf = async (milliseconds: number): Promise<number> => {
    let turn = 0;
    const turns: number[] = [];
    const port = await portOf(async (_, response) => {
      turns.push(turn);
      setImmediate(() => (turn += 1));
      for (let step = 0; step < 10; step += 1) await Promise.resolve();
      await new Promise<void>((resolve) => process.nextTick(resolve));
      const end = performance.now() + milliseconds;
      while (performance.now() < end);
      response.end('done;');
    });
    const many = Array.from({ length: 20 }, () => client(port));
    await Promise.all(many.map(({ socket }) => once(socket, 'connect')));
    for (const { socket } of many) socket.write(get('/'));
    await until(() => many.every(({ answers }) => answers().length === 1));
    return new Set(turns).size;
  };

  it('start in the same turn if they are short, so that their appends can share a transaction', async () => {
    expect(await turnsOf(0)).to.be.below(10);
  });

  it('start in separate turns if they are long, also if they wait for something first', async () => {
    expect(await turnsOf(20)).to.equal(20);
  });
});
