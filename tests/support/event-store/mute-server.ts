import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

interface MuteServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Accepts connections, with TLS if a certificate is given, and never sends any data. */
export const startMuteServer = async (
  tls: { readonly cert: string; readonly key: string } | null,
): Promise<MuteServer> => {
  const accepted = new Set<Socket>();
  const keepMute = (socket: Socket): void => {
    accepted.add(socket);
    socket.once('close', () => accepted.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.resume();
  };
  const server = tls === null ? createServer(keepMute) : createTlsServer({ ...tls, ALPNProtocols: ['h2'] }, keepMute);
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      accepted.forEach((socket) => socket.destroy());
      await closed;
    },
  };
};
