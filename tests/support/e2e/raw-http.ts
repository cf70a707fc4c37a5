import { connect } from 'node:net';
import { expect } from 'chai';

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
