import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server, whatever is spoken on them. */
export interface OpenConnections {
  /** Ends those on which nothing was ever sent: to the server they are not idle, but about to ask. */
  readonly closeSilent: () => void;
  /** Ends all of them, also those that were taken over by another protocol, which the server itself no longer knows. */
  readonly closeAll: () => void;
}

/**
 * Keeps track of a server's connections, and ends those whose client takes nothing of what waits for it for
 * `stalled_ms`: the server itself never does. The sockets' own timers are used, which see progress inside one large
 * write too. Tells of each that has closed.
 */
export const openConnections = (
  server: Server,
  stalled_ms: number,
  check_ms: number,
  onClose: (socket: Socket) => void,
): OpenConnections => {
  const open = new Set<Socket>();
  const guarded = new Set<Socket>();
  server.on('connection', (socket) => {
    // A connection that asked for an upgrade in vain is handed to the server again.
    if (open.has(socket)) return;
    open.add(socket);
    socket.on('timeout', () => {
      if (guarded.has(socket)) socket.destroy();
    });
    socket.once('close', () => {
      open.delete(socket);
      guarded.delete(socket);
      onClose(socket);
    });
  });
  const guard = (socket: Socket): void => {
    const isWaiting = socket.writableLength > 0;
    if (isWaiting && !guarded.has(socket)) {
      guarded.add(socket);
      socket.setTimeout(stalled_ms);
    } else if (!isWaiting && guarded.delete(socket) && socket.timeout === stalled_ms) {
      socket.setTimeout(0);
    }
  };
  const checks = setInterval(() => open.forEach(guard), check_ms).unref();
  server.once('close', () => clearInterval(checks));
  return {
    closeSilent: () => open.forEach((socket) => socket.bytesRead === 0 && socket.destroy()),
    closeAll: () => open.forEach((socket) => socket.destroy()),
  };
};
