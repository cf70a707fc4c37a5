import type { Socket } from 'node:net';
import { connectionArrived, onceArrived } from '../runtime/arrivals.js';

/** So many connections begin to be served in one turn of the event loop. */
const mostInTurn = 8;

const ignore = (): void => undefined;
/** It has ended without a request. */
function leave(this: Socket): void {
  this.destroy();
}
const endOfHeaders = Buffer.from('\r\n\r\n');

/** Whether what has come so far ends as a request does that has no body. */
const isWhole = (socket: Socket): boolean => {
  // To read where nothing is left would end the connection.
  if (socket.readableLength === 0) return false;
  const came: unknown = socket.read();
  if (!Buffer.isBuffer(came)) return false;
  socket.unshift(came);
  return came.subarray(-endOfHeaders.length).equals(endOfHeaders);
};

/** Takes out a few, in the order in which they came. */
const takeSome = (sockets: Set<Socket>): ReadonlyArray<Socket> => {
  const some: Socket[] = [];
  for (const socket of sockets) {
    if (some.length === mostInTurn) break;
    some.push(socket);
    sockets.delete(socket);
  }
  return some;
};

/** Connections that wait, a few of which begin in each turn that is waited for. */
const queue = (begin: (socket: Socket) => void, turn: (work: () => void) => void) => {
  const sockets = new Set<Socket>();
  let isWaiting = false;
  const beginSome = (): void => {
    isWaiting = false;
    takeSome(sockets).forEach(begin);
    if (sockets.size > 0) beginSoon();
  };
  const beginSoon = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    turn(beginSome);
  };
  return {
    add: (socket: Socket): void => {
      sockets.add(socket);
      beginSoon();
    },
    /** Whether it was there. */
    remove: (socket: Socket): boolean => sockets.delete(socket),
  };
};

/**
 * Has accepted connections served, a few in each turn: at once those on which a whole request has arrived, the others when
 * no more arrive, or after a few milliseconds. Only so many are accepted in a turn of the event loop: where turns are spent
 * on connections that are silent, or in the middle of a request, whoever has sent all of a small one waits behind them.
 */
export const acceptedConnections = (serve: (socket: Socket) => void): ((socket: Socket) => void) => {
  const begin = (socket: Socket): void => {
    socket.off('error', ignore).off('readable', sort).off('end', leave);
    if (!socket.destroyed) serve(socket);
  };
  const whole = queue(begin, setImmediate);
  const others = queue(begin, onceArrived);
  function sort(this: Socket): void {
    this.off('readable', sort);
    if (isWhole(this) && others.remove(this)) whole.add(this);
  }
  return (socket) => {
    connectionArrived();
    others.add(socket.on('error', ignore).on('readable', sort).on('end', leave));
  };
};
