import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** All connections of a server, including upgraded ones, which the server itself no longer knows. */
export interface OpenConnections {
  /** Closes those that never sent anything; the server does not count them as idle. */
  readonly closeUnused: () => void;
  readonly closeAll: () => void;
}

/**
 * Keeps track of a server's connections, and closes those whose client accepts none of the data waiting to be sent for
 * `stallMs`; the server itself has no such limit. Uses the timers of the sockets, which notice progress within a large
 * write. Calls `onClose` for each closed connection.
 */
export const trackConnections = (
  server: Server,
  stallMs: number,
  checkMs: number,
  onClose: (socket: Socket) => void,
): OpenConnections => {
  const open = new Set<Socket>();
  const sending = new Set<Socket>();
  server.on('connection', (socket) => {
    // A declined upgrade emits the connection again.
    if (open.has(socket)) return;
    open.add(socket);
    socket.on('timeout', () => {
      if (sending.has(socket)) socket.destroy();
    });
    socket.once('close', () => {
      open.delete(socket);
      sending.delete(socket);
      onClose(socket);
    });
  });
  const check = (socket: Socket): void => {
    const isSending = socket.writableLength > 0;
    if (isSending && !sending.has(socket)) {
      sending.add(socket);
      socket.setTimeout(stallMs);
    } else if (!isSending && sending.delete(socket) && socket.timeout === stallMs) {
      socket.setTimeout(0);
    }
  };
  const checks = setInterval(() => open.forEach(check), checkMs).unref();
  server.once('close', () => clearInterval(checks));
  return {
    closeUnused: () => open.forEach((socket) => socket.bytesRead === 0 && socket.destroy()),
    closeAll: () => open.forEach((socket) => socket.destroy()),
  };
};
