import type { Socket } from 'node:net';

/** When a connection became idle, in milliseconds of the process, and its remote address. */
interface IdleConnection {
  readonly since: number;
  readonly address: string;
}

/**
 * The idle connections of a server. They are indexed by address, since going through thousands of them in each turn of the
 * event loop would delay requests.
 */
export const idleConnections = (maxIdle: number) => {
  const connections = new Map<Socket, IdleConnection>();
  const byAddress = new Map<string, Set<Socket>>();
  const remove = (socket: Socket): void => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    const ofAddress = byAddress.get(connection.address);
    ofAddress?.delete(socket);
    if (ofAddress?.size === 0) byAddress.delete(connection.address);
  };
  /** The oldest connections of the address that has the most, until it has no more than the second address. */
  const oldestOfLargest = (maxCount: number, idleBefore: number): ReadonlyArray<Socket> => {
    let largest: ReadonlySet<Socket> = new Set();
    let secondSize = 0;
    for (const ofAddress of byAddress.values()) {
      secondSize = Math.max(secondSize, Math.min(ofAddress.size, largest.size));
      if (ofAddress.size > largest.size) largest = ofAddress;
    }
    const count = Math.max(1, Math.min(maxCount, largest.size - secondSize));
    const oldest: Socket[] = [];
    for (const socket of largest) {
      if (oldest.length === count || (connections.get(socket)?.since ?? idleBefore) > idleBefore) break;
      oldest.push(socket);
    }
    return oldest;
  };
  return {
    add: (socket: Socket): void => {
      remove(socket);
      const address = socket.remoteAddress ?? '';
      connections.set(socket, { since: performance.now(), address });
      byAddress.set(address, (byAddress.get(address) ?? new Set()).add(socket));
    },
    remove,
    isOver: (factor = 1): boolean => connections.size > factor * maxIdle,
    /**
     * Closes up to `maxCount` of the connections beyond the limit, if they have been idle for `minIdleMs`. Returns whether
     * it closed any.
     */
    closeSome: (maxCount: number, minIdleMs: number): boolean => {
      const count = Math.min(connections.size - maxIdle, maxCount);
      const sockets = oldestOfLargest(count, performance.now() - minIdleMs);
      for (const socket of sockets) {
        remove(socket);
        socket.destroy();
      }
      return sockets.length > 0;
    },
  };
};
