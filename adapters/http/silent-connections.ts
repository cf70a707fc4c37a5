import type { Socket } from 'node:net';

/** The connections on which a request is awaited. */
export interface SilentConnections {
  readonly add: (socket: Socket) => void;
  readonly remove: (socket: Socket) => void;
  /** Whether there are more than so many times the most that may be. */
  readonly isOver: (times?: number) => boolean;
  /** Ends a few that have waited for so many milliseconds where there are too many, and tells whether there were any. */
  readonly bound: (patience: number) => boolean;
}

/** Since when a request is awaited, in milliseconds of the process, and from which address. */
interface Silence {
  readonly since: number;
  readonly address: string;
}

/**
 * Keeps the connections on which a request is awaited, at most so many, and ends at most so many of them in one turn: those
 * of the address that has the most, the one that has waited longest first. They are kept by their addresses, for to go
 * through thousands of them in each turn would hold up others.
 */
export const silentConnections = (most: number, mostInTurn: number): SilentConnections => {
  const silences = new Map<Socket, Silence>();
  const byAddress = new Map<string, Set<Socket>>();
  const remove = (socket: Socket): void => {
    const silence = silences.get(socket);
    if (silence === undefined) return;
    silences.delete(socket);
    const ofAddress = byAddress.get(silence.address);
    ofAddress?.delete(socket);
    if (ofAddress?.size === 0) byAddress.delete(silence.address);
  };
  const add = (socket: Socket): void => {
    remove(socket);
    const address = socket.remoteAddress ?? '';
    silences.set(socket, { since: performance.now(), address });
    byAddress.set(address, (byAddress.get(address) ?? new Set()).add(socket));
  };
  /** The oldest of the address that has the most, until it has no more than the next one. */
  const oldestOfMost = (count: number, before: number): ReadonlyArray<Socket> => {
    let largest: ReadonlySet<Socket> = new Set();
    let next = 0;
    for (const ofAddress of byAddress.values()) {
      next = Math.max(next, Math.min(ofAddress.size, largest.size));
      if (ofAddress.size > largest.size) largest = ofAddress;
    }
    const left = Math.max(1, Math.min(count, largest.size - next));
    const oldest: Socket[] = [];
    for (const socket of largest) {
      if (oldest.length === left || (silences.get(socket)?.since ?? before) > before) break;
      oldest.push(socket);
    }
    return oldest;
  };
  return {
    add,
    remove,
    isOver: (times = 1) => silences.size > times * most,
    bound: (patience) => {
      const sockets = oldestOfMost(Math.min(silences.size - most, mostInTurn), performance.now() - patience);
      for (const socket of sockets) {
        remove(socket);
        socket.destroy();
      }
      return sockets.length > 0;
    },
  };
};
