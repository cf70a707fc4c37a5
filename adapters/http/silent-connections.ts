import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Ends the open connections on which nothing was ever sent: to the server they are not idle, but about to ask. */
export const silentConnections = (server: Server): { readonly close: () => void } => {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return { close: () => open.forEach((socket) => socket.bytesRead === 0 && socket.destroy()) };
};
