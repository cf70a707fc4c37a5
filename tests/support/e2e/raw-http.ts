import { connect } from 'node:net';
import { request } from 'node:http';
import { expect } from 'chai';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface RawRequest {
  readonly method?: string;
  /** Sent as it is: no normalising. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** Sends a request through Node's own client, which leaves paths and bodies as they are. */
export const sendRaw = (url: string, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const asked = request({ hostname, port, method, path, headers: { ...headers }, agent: false }, (response) => {
      const chunks: Array<Buffer> = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });

/** Writes bytes to the service's socket and answers what came back until it closed. */
export const sendBytes = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let came = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      came += text;
    });
    socket.setTimeout(3_000, () => socket.destroy(new Error(`no end after: ${came}`)));
    socket.on('error', reject).on('close', () => resolve(came));
  });

/** A refusal of the client's making, with a text that says why. */
export const expectClientFault = ({ status, text }: { readonly status: number; readonly text: string }): void => {
  expect(status, text).to.be.within(400, 499);
  expect(text).to.match(/"detail":("[^"]|\{"code":"[a-zA-Z_]+","message":"[^"])/);
};
