import type { RequestListener } from 'node:http';
import { type Socket, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { type ConnectionLimits, type Listening, type Upgrade, listen } from '../../../adapters/http/server.js';

const limits: ConnectionLimits = {
  headersTimeout: 300,
  requestTimeout: 600,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 50,
  timeout: 1_500,
};
const upgradeHeaders = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';

interface Client {
  readonly socket: Socket;
  readonly came: () => string;
  readonly closed: Promise<void>;
  readonly until: (pattern: RegExp) => Promise<void>;
}

describe('connections', () => {
  let listening: Listening | null = null;
  let sockets: Socket[] = [];
  const urlOf = async (listener: RequestListener, upgradeOf: Upgrade = () => null): Promise<URL> => {
    listening = await listen(listener, upgradeOf, '127.0.0.1', 0, limits);
    return new URL(listening.url);
  };
  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    sockets = [];
    await listening?.close(0);
  });

  const client = ({ port, hostname }: URL): Client => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const until = async (pattern: RegExp): Promise<void> => {
      while (!pattern.test(text)) {
        if (socket.destroyed) throw new Error(`closed after: ${text}`);
        await setTimeout(5);
      }
    };
    return { socket, came: () => text, closed, until };
  };
  const echo: RequestListener = (request, response) => {
    let length = 0;
    request.on('data', (part: Buffer) => (length += part.length));
    request.on('end', () =>
      response.end(`${request.method} ${request.url} ${length} ${String(request.headers['x-known'])};`, 'latin1'),
    );
  };

  it('serve a request with a declined upgrade as a plain request, with any body, and the requests after it', async () => {
    const { socket, came, until } = client(await urlOf(echo));
    const known = 'Host: x\r\nX-Known: \u00e9\r\n';
    socket.write(`POST /a?b HTTP/1.1\r\n${known}${upgradeHeaders}Content-Length: 5\r\n\r\n12345`, 'latin1');
    await until(/\/a/);
    socket.write(
      `POST /c HTTP/1.1\r\n${known}${upgradeHeaders}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
      'latin1',
    );
    socket.write('4\r\ndefg\r\n0\r\n\r\n');
    await until(/\/c/);
    for (let n = 0; n < 15; n += 1) {
      socket.write(`GET /${n} HTTP/1.1\r\n${known}${upgradeHeaders}\r\n`, 'latin1');
      await until(new RegExp(`/${n} 0 `));
    }
    expect(came()).to.include('POST /a?b 5 \u00e9;').and.to.include('POST /c 7 \u00e9;');
    expect(came().match(/HTTP\/1\.1 200/g)).to.have.lengthOf(17);
  });

  it('end every answer once they are closed, also those that wait behind another', async () => {
    const ended: string[] = [];
    const begun: string[] = [];
    const url = await urlOf(({ url: path = '' }, response) => {
      begun.push(path);
      response.once('close', () => ended.push(`${path} ${response.destroyed}`));
    });
    const { socket } = client(url);
    socket.write(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    while (begun.length < 3) await setTimeout(5);
    socket.destroy();
    while (ended.length < 3) await setTimeout(5);
    expect(ended.toSorted()).to.deep.equal(['/1 true', '/2 true', '/3 true']);
  });

  it('answer a request with a declined upgrade after the request in progress, and before the one that follows', async () => {
    const url = await urlOf(({ url: path }, response) => {
      void setTimeout(path === '/slow' ? 100 : 0).then(() => response.end(`${path};`));
    });
    const { socket, came, until } = client(url);
    const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    socket.write(get('/slow') + get('/second') + get('/third', upgradeHeaders) + get('/fourth'));
    await until(/fourth/);
    expect(came().match(/\/\w+;/g)).to.deep.equal(['/slow;', '/second;', '/third;', '/fourth;']);
  });

  it('answer 408 if headers or a body arrive too slowly, also with a declined upgrade', async () => {
    const url = await urlOf(echo);
    const begun = [
      'GET / HTTP/1.1\r\nHost:',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1',
      `POST / HTTP/1.1\r\nHost: x\r\n${upgradeHeaders}Content-Length: 10\r\n\r\n1`,
      `POST / HTTP/1.1\r\nHost: x\r\n${upgradeHeaders}Transfer-Encoding: chunked\r\n\r\n9\r\n1`,
    ];
    await Promise.all(
      begun.map(async (text) => {
        const { socket, came, closed } = client(url);
        socket.write(text);
        await closed;
        expect(came(), text).to.match(/^HTTP\/1\.1 408 [^]*request_timeout/);
      }),
    );
  });

  it('are closed if the client receives nothing of an answer for too long, but not if it receives slowly', async () => {
    const large = Buffer.alloc(30_000_000, 'x');
    const url = await urlOf((_, response) => response.end(large));
    const ask = (): Client => {
      const requesting = client(url);
      requesting.socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      return requesting;
    };
    const [stalled, slow] = [ask(), ask()];
    stalled.socket.pause();
    const pauses = setInterval(() => {
      slow.socket.pause();
      void setTimeout(40).then(() => slow.socket.resume());
    }, 60);
    await slow.closed;
    clearInterval(pauses);
    expect(slow.came().length).to.be.greaterThan(large.length);
    await setTimeout(5_000);
    stalled.socket.resume();
    await stalled.closed;
    expect(stalled.came().length).to.be.below(large.length);
  }).timeout(20_000);

  it('are all closed when the server closes and the grace period is over', async () => {
    const taken: Upgrade = (path) => (path === '/socket' ? () => undefined : null);
    const url = await urlOf(() => undefined, taken);
    const begun = [
      '',
      'GET / HT',
      'GET /never HTTP/1.1\r\nHost: x\r\n\r\n',
      `POST / HTTP/1.1\r\nHost: x\r\n${upgradeHeaders}Content-Length: 10\r\n\r\n1`,
      'GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ].map((text) => {
      const one = client(url);
      one.socket.write(text);
      return one;
    });
    await setTimeout(50);
    const start = performance.now();
    await listening?.close(100);
    await Promise.all(begun.map(({ closed }) => closed));
    // The time limits of such connections are 30 s and more.
    expect(performance.now() - start).to.be.below(5_000);
  });
});
