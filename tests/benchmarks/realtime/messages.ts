import * as t from 'io-ts';

const peer = { peer: t.number };

/** The messages to the process of the clients. */
export const PeerMessage = t.union([
  t.type({ type: t.literal('begin'), ...peer }),
  t.type({ type: t.literal('answer'), sdp: t.string, ...peer }),
  t.type({ type: t.literal('send'), seconds: t.number }),
]);
export type PeerMessage = t.TypeOf<typeof PeerMessage>;

/** The messages from that process. Times are milliseconds of the wall clock. */
export const Said = t.union([
  t.type({ said: t.literal('ready') }),
  t.type({ said: t.literal('offer'), sdp: t.string, ...peer }),
  t.type({ said: t.literal('connected'), ...peer }),
  t.type({ said: t.literal('sending'), at: t.number, ...peer }),
  t.type({ said: t.literal('failed'), reason: t.string }),
]);
export type Said = t.TypeOf<typeof Said>;
