import * as t from 'io-ts';
import { Finite } from '../../../domain/kernel/recorded-event.js';
import { EngineReportCodec } from '../remote-engine.js';

const IceServer = t.intersection([t.type({ urls: t.string }), t.partial({ username: t.string, credential: t.string })]);

/** The options of the service's side of peer connections. A media thread gets them when it starts. */
export const PeerOptions = t.intersection([
  t.type({
    /** STUN and TURN servers for the service's own side. None are needed where clients can reach it directly. */
    iceServers: t.array(IceServer),
    /** Addresses to offer in addition to those of the network interfaces, such as loopback. */
    additionalAddresses: t.array(t.string),
    /** Offer relayed addresses only. */
    relayOnly: t.boolean,
    /** How long a thread may take to answer a request. */
    answerTimeoutMs: t.number,
  }),
  t.partial({
    /** The UDP ports to use, first and last. */
    portRange: t.tuple([t.number, t.number]),
  }),
]);
export type PeerOptions = t.TypeOf<typeof PeerOptions>;

const ofSession = { session: t.string };
/** The number that connects an answer with its request. */
const numbered = { request: Finite };

/** A request to a media thread. */
export const ThreadRequest = t.union([
  t.type({
    kind: t.literal('negotiate'),
    sdp: t.string,
    /** When the session's first media came, on another thread; null: none have come. */
    mediaStart: t.union([Finite, t.null]),
    ...ofSession,
    ...numbered,
  }),
  t.type({
    kind: t.literal('candidate'),
    candidate: t.string,
    mid: t.union([t.string, t.null]),
    line: t.union([Finite, t.null]),
    ...ofSession,
    ...numbered,
  }),
  t.type({ kind: t.literal('close'), ...ofSession, ...numbered }),
  t.type({ kind: t.literal('ping'), ...numbered }),
  t.type({ kind: t.literal('stop'), ...numbered }),
]);
export type ThreadRequest = t.TypeOf<typeof ThreadRequest>;

/** A message from a media thread: the answer to a request, reports in chronological order, or a fault. */
export const ThreadMessage = t.union([
  t.type({ kind: t.literal('done'), sdp: t.string, ...numbered }),
  t.type({ kind: t.literal('refused'), reason: t.string, ...numbered }),
  t.type({ kind: t.literal('failed'), reason: t.string, ...numbered }),
  t.type({ kind: t.literal('reports'), reports: t.array(t.type({ session: t.string, report: EngineReportCodec })) }),
  t.type({ kind: t.literal('fault'), reason: t.string }),
]);
export type ThreadMessage = t.TypeOf<typeof ThreadMessage>;
