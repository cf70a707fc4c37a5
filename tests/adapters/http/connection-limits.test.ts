import type { RequestListener } from 'node:http';
import { type Socket, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { type Listening, listen } from '../../../adapters/http/connections/listen.js';

const hours = 3_600_000;
const limits = { headersMs: hours, requestMs: hours, stallMs: hours, drainMs: hours, checkMs: 50 };

interface Client {
  readonly socket: Socket;
  readonly came: () => string;
  readonly isOpen: () => boolean;
}

const echo: RequestListener = (request, response) => {
  let length = 0;
  request.on('data', (part: Buffer) => (length += part.length));
  request.on('end', () => response.end(`${request.url} ${length};`));
};

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

describe('connection limits: at most three idle connections and two incomplete bodies', () => {
  let listening: Listening | null = null;
  let clients: Client[] = [];
  const serve = async (listener: RequestListener = echo, minIdleMs = 100): Promise<void> => {
    listening = await listen(listener, () => null, '127.0.0.1', 0, limits, {
      maxIdle: 3,
      maxIncompleteBodies: 2,
      minIdleMs,
    });
  };
  afterEach(async () => {
    clients.forEach(({ socket }) => socket.destroy());
    clients = [];
    await listening?.close(0);
  });

  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await setTimeout(5);
  };
  /** A connection that the server has accepted, with this text sent. */
  const client = async (text = '', localAddress = '127.0.0.1'): Promise<Client> => {
    const { port, hostname: host } = new URL(listening?.url ?? '');
    const socket = connect({ port: Number(port), host, localAddress });
    let [came, isOpen] = ['', true];
    socket.setEncoding('latin1').on('data', (part: string) => (came += part));
    socket.on('error', () => undefined).once('close', () => (isOpen = false));
    const one = { socket, came: () => came, isOpen: () => isOpen };
    clients.push(one);
    socket.write(text);
    await setTimeout(20);
    return one;
  };
  const open = (all: ReadonlyArray<Client>): ReadonlyArray<boolean> => all.map(({ isOpen }) => isOpen());

  it('close the longest idle connection: unused, with incomplete headers, or answered', async () => {
    await serve();
    const answered = await client(get('/a'));
    await until(() => answered.came().includes('/a'));
    const [silent, half, third] = [await client(), await client('GET / HTTP/1.1\r\nHost: '), await client()];
    await until(() => !answered.isOpen());
    expect(open([silent, half, third])).to.deep.equal([true, true, true]);
    await client();
    await until(() => !silent.isOpen());
    half.socket.write(`x\r\n\r\n`);
    await until(() => half.came().includes('/ 0;'));
    expect(open([half, third])).to.deep.equal([true, true]);
  });

  it('spare connections that were idle for a short time only, unless there are four times too many', async () => {
    await serve(echo, 60_000);
    const few = await Promise.all(Array.from({ length: 12 }, () => client()));
    await setTimeout(300);
    expect(open(few).every(Boolean)).to.equal(true);
    few[0]?.socket.write(get('/late'));
    await until(() => few[0]?.came().includes('/late') === true);
    await Promise.all([client(), client()]);
    await until(() => few.filter(({ isOpen }) => isOpen()).length < 12);
  });

  it('close connections of the address that has the most', async () => {
    await serve();
    const other = await client('', '127.0.0.2');
    const clients = [await client(), await client(), await client(), await client()];
    await until(() => clients.filter(({ isOpen }) => isOpen()).length === 2);
    expect(open([other, ...clients])).to.deep.equal([true, false, false, true, true]);
  });

  it('spare connections whose requests are in progress or queued', async () => {
    const held: Array<() => void> = [];
    await serve((request, response) => void held.push(() => echo(request, response)));
    const asking = await client(get('/a') + get('/b'));
    await until(() => held.length === 1);
    for (let more = 0; more < 5; more += 1) await client();
    held.shift()?.();
    await until(() => asking.came().includes('/a') && held.length === 1);
    for (let more = 0; more < 5; more += 1) await client();
    held.shift()?.();
    await until(() => asking.came().includes('/b'));
    expect(asking.isOpen()).to.equal(true);
  });

  it('answer 408 if no byte of a body arrives for half a second, but not to a slow body', async () => {
    await serve();
    const slow = await client(post('/slow', 60));
    const [stuck, other] = [await client(`${post('/stuck', 8)}1`), await client(`${post('/other', 8)}1`)];
    for (let bytes = 0; bytes < 60; bytes += 1) {
      slow.socket.write('1');
      await setTimeout(20);
    }
    await until(() => slow.came().includes('/slow 60;') && !(stuck.isOpen() && other.isOpen()));
    const [ended, spared] = stuck.isOpen() ? [other, stuck] : [stuck, other];
    expect(ended.came()).to.match(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
    spared.socket.write('2345678');
    await until(() => spared.came().includes(' 8;'));
  });

  it('spare connections whose body the service does not read', async () => {
    const held: Array<() => void> = [];
    await serve((request, response) => void held.push(() => echo(request, response)));
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    const senders: Client[] = [];
    for (const path of paths) senders.push(await client(`${post(path, 100)}1`));
    await until(() => held.length === paths.length);
    senders.forEach(({ socket }) => socket.write('1'.repeat(99)));
    held.forEach((goOn) => goOn());
    await until(() => senders.every(({ came }) => came().includes(' 100;')));
  });
});
