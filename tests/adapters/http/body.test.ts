import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import express, { type Request, type Response } from 'express';
import * as E from 'fp-ts/lib/Either.js';
import { bodyReceiver } from '../../../adapters/http/body.js';

describe('receiving a request body', () => {
  let server: Server;
  afterEach(() => server.close());
  /** Serves requests, also those that ask whether to continue. Returns the port. */
  const listen = async (serve: (request: Request, response: Response) => void): Promise<number> => {
    const app = express().use(serve);
    server = createServer(app).on('checkContinue', app).listen(0);
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  it('reads a large body when those before it are no longer needed', async () => {
    const largest = 64 * 1024 * 1024;
    const begun: string[] = [];
    const releases: Array<() => void> = [];
    const serve = async (request: Request, response: Response): Promise<void> => {
      const { receive, release } = bodyReceiver(request, response, largest);
      const received = await receive('a')();
      begun.push(E.isRight(received) ? String(received.right.length) : received.left._tag);
      releases.push(release);
      response.end();
    };
    const url = `http://127.0.0.1:${await listen((request, response) => void serve(request, response))}/`;
    const compressed = { 'Content-Encoding': 'gzip' };
    const first = await fetch(url, { method: 'POST', headers: compressed, body: gzipSync('a') });
    const second = fetch(url, { method: 'POST', headers: compressed, body: gzipSync('ab') });
    const small = await fetch(url, { method: 'POST', body: 'abc' });
    expect([first.status, small.status]).to.deep.equal([200, 200]);
    expect(begun).to.deep.equal(['1', '3']);
    releases[0]?.();
    expect((await second).status).to.equal(200);
    expect(begun).to.deep.equal(['1', '3', '2']);
    for (const release of releases.slice(1)) release();
  });

  it('asks a pipelined request to continue in its turn, not in the middle of an answer', async () => {
    const serve = (request: Request, response: Response): void => {
      if (request.method === 'GET') void setTimeout(100).then(() => response.end('first;'));
      else
        void bodyReceiver(request, response, 100)
          .receive('a')()
          .then(() => response.end(Buffer.from('second;')));
    };
    const port = await listen(serve);
    const exchange = async (bodyNow: string, bodyLater: string, before: string) => {
      const socket = connect(port);
      let came = '';
      socket.on('data', (chunk: Buffer) => (came += chunk.toString()));
      const post = 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n';
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\n\r\n${post}${bodyNow}`);
      while (!came.includes(before)) await setTimeout(5);
      socket.write(bodyLater);
      while (!came.includes('second;')) await setTimeout(5);
      socket.destroy();
      return came.match(/HTTP\/1\.1 \d+|first;|second;/g);
    };
    const [first, second] = [['HTTP/1.1 200', 'first;'] as const, ['HTTP/1.1 200', 'second;'] as const];
    expect(await exchange('1', '', '')).to.deep.equal([...first, ...second]);
    expect(await exchange('', '1', '100 Continue')).to.deep.equal([...first, 'HTTP/1.1 100', ...second]);
  });
});
