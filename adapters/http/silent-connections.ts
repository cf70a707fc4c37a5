import type { Socket } from 'node:net';

/** The connections on which a request is awaited. */
export interface SilentConnections {
  readonly add: (socket: Socket) => void;
  readonly remove: (socket: Socket) => void;
  /** Whether there are more than so many times the most that may be. */
  readonly isOver: (times?: number) => boolean;
  /** Ends a few where there are too many; true, for it ended some. */
  readonly bound: () => boolean;
}

const firstOf = (sockets: Iterable<Socket>, count: number): ReadonlyArray<Socket> => {
  const first: Socket[] = [];
  for (const socket of sockets) {
    if (first.length === count) break;
    first.push(socket);
  }
  return first;
};

/**
 * Keeps the connections on which a request is awaited, at most so many, and ends at most so many of them in one turn: those
 * of the address that has the most, the one that has waited longest first. They are kept by their addresses, for to go
 * through thousands of them in each turn would hold up others.
 */
export const silentConnections = (most: number, mostInTurn: number): SilentConnections => {
  const addresses = new Map<Socket, string>();
  const crowds = new Map<string, Set<Socket>>();
  const add = (socket: Socket): void => {
    const address = socket.remoteAddress ?? '';
    addresses.set(socket, address);
    const crowd = crowds.get(address) ?? new Set();
    crowds.set(address, crowd.add(socket));
  };
  const remove = (socket: Socket): void => {
    const address = addresses.get(socket);
    if (address === undefined) return;
    addresses.delete(socket);
    const crowd = crowds.get(address);
    crowd?.delete(socket);
    if (crowd?.size === 0) crowds.delete(address);
  };
  /** The oldest of the largest crowd, until it has no more than the one after it. */
  const oldestOfMost = (count: number): ReadonlyArray<Socket> => {
    let largest: ReadonlySet<Socket> = new Set();
    let next = 0;
    for (const crowd of crowds.values()) {
      next = Math.max(next, Math.min(crowd.size, largest.size));
      if (crowd.size > largest.size) largest = crowd;
    }
    return firstOf(largest, Math.max(1, Math.min(count, largest.size - next)));
  };
  return {
    add,
    remove,
    isOver: (times = 1) => addresses.size > times * most,
    bound: () => {
      for (const socket of oldestOfMost(Math.min(addresses.size - most, mostInTurn))) {
        remove(socket);
        socket.destroy();
      }
      return true;
    },
  };
};
