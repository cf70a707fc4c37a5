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

/** What the main thread asks of a media thread. */
const ThreadTask = t.union([
  t.type({
    kind: t.literal('negotiate'),
    sdp: t.string,
    /** When the session's first media came, on another thread; null: none have come. */
    mediaStart: t.union([Finite, t.null]),
    ...ofSession,
  }),
  t.type({
    kind: t.literal('candidate'),
    candidate: t.string,
    mid: t.union([t.string, t.null]),
    line: t.union([Finite, t.null]),
    ...ofSession,
  }),
  t.type({ kind: t.literal('close'), ...ofSession }),
  t.type({ kind: t.literal('ping') }),
  t.type({ kind: t.literal('stop') }),
]);
export type ThreadTask = t.TypeOf<typeof ThreadTask>;

/** `lost`: the thread has ended, failed or did not answer in time. */
const Answer = t.union([
  t.type({ kind: t.literal('done'), sdp: t.string }),
  t.type({ kind: t.literal('refused'), reason: t.string }),
  t.type({ kind: t.literal('lost'), reason: t.string }),
]);
export type Answer = t.TypeOf<typeof Answer>;

/** The number of a request, which its answer repeats. */
const numbered = { request: Finite };

/** A request to a media thread. */
export const ThreadRequest = t.type({ task: ThreadTask, ...numbered });

/** A message from a media thread: the answer to a request, reports in chronological order, or a fault. */
export const ThreadMessage = t.union([
  t.type({ kind: t.literal('answer'), answer: Answer, ...numbered }),
  t.type({ kind: t.literal('reports'), reports: t.array(t.type({ session: t.string, report: EngineReportCodec })) }),
  t.type({ kind: t.literal('fault'), reason: t.string }),
]);
export type ThreadMessage = t.TypeOf<typeof ThreadMessage>;
