import * as t from 'io-ts';

const IceServer = t.intersection([t.type({ urls: t.string }), t.partial({ username: t.string, credential: t.string })]);

/** How the service takes part in connections. */
export const PeerOptions = t.intersection([
  t.type({
    /** STUN and TURN servers for the service's own side; none are needed where clients can reach it. */
    iceServers: t.array(IceServer),
    /** Addresses to offer beside those of the network interfaces, such as loopback. */
    additionalAddresses: t.array(t.string),
    /** Offers relayed addresses alone. */
    relayOnly: t.boolean,
    /** How long a thread may take for an answer, in milliseconds. */
    answerWithin: t.number,
  }),
  t.partial({
    /** UDP ports to listen at, first and last. */
    portRange: t.tuple([t.number, t.number]),
  }),
]);
export type PeerOptions = t.TypeOf<typeof PeerOptions>;

export interface EngineOptions extends Partial<PeerOptions> {
  /** Worker threads for media; one for each core unless said otherwise. */
  readonly threads?: number;
  /** Hears of threads that died and of faults inside them. */
  readonly fault?: (reason: string) => void;
}
