import * as t from 'io-ts';
import { integer, limits, smallJson } from './values.js';
import { SessionId } from '../../../domain/kernel/ids.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { CreditsNumber } from '../../../domain/kernel/credits.js';

const Metadata = smallJson('Metadata', limits.metadata, 'Data that the client stores with the session');

export const CreateSessionBody = t.partial({ metadata: t.union([Metadata, t.null]) }, 'CreateSessionBody');

export const OfferBody = t.type({ type: t.literal('offer'), sdp: t.string }, 'OfferBody');

const LineIndex = integer('LineIndex', 0, 65_535);

/** As in `RTCIceCandidate`; an empty candidate signals the end of candidates. */
export const CandidateBody = t.intersection(
  [
    t.type({ candidate: t.string }),
    t.partial({ sdp_mid: t.union([t.string, t.null]), sdp_m_line_index: t.union([LineIndex, t.null]) }),
  ],
  'CandidateBody',
);

const IceServer = t.intersection(
  [t.type({ urls: t.readonlyArray(t.string) }), t.partial({ username: t.string, credential: t.string })],
  'IceServer',
);

/** The token is shown only once. */
export const NewSession = t.type(
  {
    session_id: SessionId,
    token: t.string,
    token_expires_at: Timestamp,
    ice_servers: t.readonlyArray(IceServer),
    session_url: t.string,
    results_url: t.string,
    expires_at: Timestamp,
  },
  'NewSession',
);

export const SessionPrice = t.type({ price_per_minute: CreditsNumber, balance: CreditsNumber }, 'SessionPrice');

export const SessionToken = t.type({ token: t.string, token_expires_at: Timestamp }, 'SessionToken');

export const SessionAnswer = t.type({ type: t.literal('answer'), sdp: t.string }, 'SessionAnswer');

export const AcceptedCandidate = t.type({ status: t.literal('accepted') }, 'AcceptedCandidate');

export const Session = t.type(
  {
    session_id: SessionId,
    status: t.keyof({ created: null, negotiated: null, connected: null, disconnected: null }),
    created_at: Timestamp,
    credits_charged: CreditsNumber,
  },
  'Session',
);

export const EndedSession = t.type(
  {
    session_id: SessionId,
    status: t.literal('ended'),
    duration_seconds: t.number,
    credits_charged: CreditsNumber,
  },
  'EndedSession',
);

export const ErasedSession = t.type({ status: t.literal('erased'), erased_at: Timestamp }, 'ErasedSession');

/** `retryable` and `retry_after_seconds` are present if the engine is unreachable. */
export const EngineHealth = t.intersection(
  [
    t.type({ status: t.keyof({ ok: null, unreachable: null }) }),
    t.partial({ retryable: t.boolean, retry_after_seconds: t.number }),
  ],
  'EngineHealth',
);

export const Health = t.type({ status: t.literal('ok') }, 'Health');

export const Readiness = t.intersection(
  [
    t.type({ status: t.keyof({ ready: null, not_ready: null }) }),
    t.partial({ reasons: t.readonlyArray(t.string), warnings: t.readonlyArray(t.string) }),
  ],
  'Readiness',
);
