import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

/** Counts the connections that this process opens, from now on. */
export const watchClientSockets = () => {
  const seen: Socket[] = [];
  const see = (message: unknown): void => {
    if (typeof message === 'object' && message !== null && 'socket' in message && message.socket instanceof Socket)
      seen.push(message.socket);
  };
  subscribe('net.client.socket', see);
  return {
    opened: (): number => seen.length,
    stillOpen: (): number => seen.filter(({ destroyed }) => !destroyed).length,
    stop: () => unsubscribe('net.client.socket', see),
  };
};
