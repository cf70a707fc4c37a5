import type { Socket } from 'node:net';
import { ChannelCredentials, credentials } from '@grpc/grpc-js';

type SecureConnector = ReturnType<ChannelCredentials['_createSecureConnector']>;

/** All open sockets of a client, so that none outlives it. */
export interface OwnSockets {
  /** Creates a client that uses these sockets. */
  readonly under: <A>(construct: () => A) => A;
  /** Closes them at once, whatever the server does; no new ones can be opened. */
  readonly end: () => void;
}

/** Called before each connection of a client is opened and once it is; may throw to prevent it. */
interface Watch {
  readonly opening: () => void;
  readonly opened: (socket: Socket) => void;
}

/** Credentials that observe each connection before it is used. No two are equal, so clients never share connections. */
class Watched extends ChannelCredentials {
  readonly #credentials: ChannelCredentials;
  readonly #watch: Watch;

  constructor(watched: ChannelCredentials, watch: Watch) {
    super();
    this.#credentials = watched;
    this.#watch = watch;
  }

  _isSecure(): boolean {
    return this.#credentials._isSecure();
  }

  _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  _createSecureConnector(...given: Parameters<ChannelCredentials['_createSecureConnector']>): SecureConnector {
    const connector = this.#credentials._createSecureConnector(...given);
    return {
      waitForReady: async () => {
        this.#watch.opening();
        await connector.waitForReady();
      },
      connect: async (socket) => {
        this.#watch.opened(socket);
        return connector.connect(socket);
      },
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    };
  }
}

/**
 * gRPC waits for ever for the first data of a server that accepts a connection and then says nothing, even after its
 * channel is closed: https://github.com/grpc/grpc-node, 1.14.7, `Http2SubchannelConnector`.
 */
export const createOwnSockets = (): OwnSockets => {
  const open = new Set<Socket>();
  let ended = false;
  const opening = (): void => {
    if (ended) throw new Error('the client has let its connections go');
  };
  const watch: Watch = {
    opening,
    opened: (socket) => {
      opening();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
  };
  return {
    under: (construct) => {
      const { createInsecure, createSsl } = credentials;
      // The client creates its credentials in its constructor and does not accept existing ones.
      credentials.createInsecure = () => new Watched(createInsecure(), watch);
      credentials.createSsl = (...given) => new Watched(createSsl(...given), watch);
      try {
        return construct();
      } finally {
        Object.assign(credentials, { createInsecure, createSsl });
      }
    },
    end: () => {
      ended = true;
      open.forEach((socket) => socket.destroy());
    },
  };
};
