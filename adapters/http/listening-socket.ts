import { type ChildProcess, fork } from 'node:child_process';
import { type AddressInfo, Server, type Socket, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { compiledScript } from '../runtime/package-files.js';

/** A listening socket. */
export interface ListeningSocket {
  readonly address: () => AddressInfo | string | null;
  /** Accepts no more, and calls back once all connections have ended. */
  readonly close: (closed: () => void) => void;
}

/** Connections that may wait to be accepted; the system takes fewer where it allows fewer. */
const backlog = 4_096;
/** So many handles of the socket are made beside the first, so long after it listens, in milliseconds. */
const moreHandles = { count: 16, after: 1_000 };

const program = fileURLToPath(compiledScript('http/listening-socket-process.js'));

const ignore = (): void => undefined;

const serverOf = (accept: (socket: Socket) => void): Server =>
  createServer({ allowHalfOpen: true, noDelay: true }, accept);

const startProcess = (): ChildProcess | null => {
  try {
    return fork(program, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [], env: {} });
  } catch {
    // The system has no memory for it.
    return null;
  }
};

/** Has the socket sent back several times by a process of its own; without that process there is the first handle. */
const multiplied = (first: Server, onHandle: (handle: Server) => void): ChildProcess | null => {
  const child = startProcess();
  if (child === null) return null;
  let sent = 0;
  child.on('message', (_, handle: unknown) => {
    if (handle instanceof Server) onHandle(handle);
    if (sent === moreHandles.count) return child.disconnect();
    sent += 1;
    child.send('socket', first, {}, ignore);
  });
  child.on('error', ignore);
  child.unref();
  child.channel?.unref();
  return child;
};

/**
 * Listens on a host and port; rejects when the port cannot be had. The event loop accepts one connection in a turn from each
 * handle of a listening socket (libuv 1.45 and later), so that one that comes as thousands do would wait for thousands of
 * turns: soon after the start there are several handles.
 */
export const openListeningSocket = (
  host: string,
  port: number,
  accept: (socket: Socket) => void,
): Promise<ListeningSocket> =>
  new Promise((resolve, reject) => {
    const first = serverOf(accept);
    const servers = [first];
    let child: ChildProcess | null = null;
    let isClosed = false;
    const onHandle = (handle: Server): void => {
      if (isClosed) handle.close();
      else servers.push(serverOf(accept).on('error', ignore).listen(handle, backlog));
    };
    const multiply = setTimeout(() => (child = multiplied(first, onHandle)), moreHandles.after).unref();
    const close = (closed: () => void): void => {
      isClosed = true;
      clearTimeout(multiply);
      child?.kill();
      let left = servers.length;
      for (const server of servers) server.close(() => (left -= 1) === 0 && closed());
    };
    const refuse = (error: Error): void => {
      clearTimeout(multiply);
      reject(error);
    };
    first.once('error', refuse);
    first.listen({ port, host, backlog }, () => {
      first.off('error', refuse);
      resolve({ address: () => first.address(), close });
    });
  });
