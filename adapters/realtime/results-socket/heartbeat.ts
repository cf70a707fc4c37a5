import type { WebSocket } from 'ws';

/** Pings a socket every so many seconds, and drops it when the last ping was not answered. */
export const heartbeat = (socket: WebSocket, seconds: number, onBeat: () => void): void => {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const beat = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    onBeat();
    return socket.ping();
  }, seconds * 1_000);
  beat.unref();
  socket.once('close', () => clearInterval(beat));
};
