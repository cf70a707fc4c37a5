import { connect } from 'node:net';
import { expect } from 'chai';

/**
 * Writes bytes to the service's socket and returns everything received until the service closes it. Fails when nothing is
 * received for `idleTimeoutMs`.
 */
export const sendRaw = (url: string, bytes: string, idleTimeoutMs = 3_000): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    socket.setTimeout(idleTimeoutMs, () =>
      socket.destroy(new Error(`not closed after ${idleTimeoutMs} ms without data; received: ${received}`)),
    );
    socket.on('error', reject).on('close', () => resolve(received));
  });

/** A 4xx answer with a text that says why. */
export const expectClientFault = ({ status, text }: { readonly status: number; readonly text: string }): void => {
  expect(status, text).to.be.within(400, 499);
  expect(text).to.match(/"detail":("[^"]|\{"code":"[a-zA-Z_]+","message":"[^"])/);
};
