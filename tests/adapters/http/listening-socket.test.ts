import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { type ListeningSocket, openListeningSocket } from '../../../adapters/http/listening-socket.js';

describe('a listening socket', () => {
  const accepted: Socket[] = [];
  let listening: ListeningSocket | null = null;
  const portOf = (): number => {
    const address = listening?.address() ?? null;
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const open = async (): Promise<void> => {
    listening = await openListeningSocket('127.0.0.1', 0, (socket) => void accepted.push(socket));
  };
  const close = async (): Promise<void> => {
    accepted.splice(0).forEach((socket) => socket.destroy());
    await new Promise<void>((closed) => listening?.close(closed));
  };
  /** The most connections of a hundred that were accepted in one turn of the event loop. */
  const mostInTurn = async (): Promise<number> => {
    const clients = Array.from({ length: 100 }, () => connect(portOf(), '127.0.0.1').on('error', () => undefined));
    let most = 0;
    for (let before = accepted.length, end = before + 100; before < end;) {
      await setImmediate();
      most = Math.max(most, accepted.length - before);
      before = accepted.length;
    }
    clients.forEach((client) => client.destroy());
    return most;
  };

  it('has several connections accepted in one turn of the event loop soon after its start, and loses none', async () => {
    await open();
    expect(await mostInTurn()).to.equal(1);
    while ((await mostInTurn()) < 8) await setTimeout(50);
    expect(accepted.every(({ allowHalfOpen }) => allowHalfOpen)).to.equal(true);
    await close();
  });

  [0, 1_000, 1_050, 1_200].forEach((after) =>
    it(`is gone once it is closed, ${after} ms after its start`, async () => {
      await open();
      const port = portOf();
      await setTimeout(after);
      await close();
      await setTimeout(300);
      const client = connect(port, '127.0.0.1');
      const refused: unknown = await once(client, 'error');
      expect(refused).to.have.nested.property('[0].code', 'ECONNREFUSED');
    }),
  );
});
