import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import { integer, limits, record, smallJson } from './values.js';
import { SessionId } from '../../../domain/kernel/ids.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { CreditsNumber } from '../../../domain/kernel/credits.js';

const Metadata = smallJson('Metadata', limits.metadata, 'Data that the client stores with the session');

export const CreateSessionBody = t.partial({ metadata: nullable(Metadata) }, 'CreateSessionBody');

export const OfferBody = t.type({ type: t.literal('offer'), sdp: t.string }, 'OfferBody');

const LineIndex = integer('LineIndex', 0, 65_535);

/** As in `RTCIceCandidate`; an empty candidate signals the end of candidates. */
export const CandidateBody = record(
  { candidate: t.string },
  { sdp_mid: nullable(t.string), sdp_m_line_index: nullable(LineIndex) },
  'CandidateBody',
);

const IceServer = record(
  { urls: t.readonlyArray(t.string) },
  { username: t.string, credential: t.string },
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
export const EngineHealth = record(
  { status: t.keyof({ ok: null, unreachable: null }) },
  { retryable: t.boolean, retry_after_seconds: t.number },
  'EngineHealth',
);

export const Health = t.type({ status: t.literal('ok') }, 'Health');

export const Readiness = record(
  { status: t.keyof({ ready: null, not_ready: null }) },
  { reasons: t.readonlyArray(t.string), warnings: t.readonlyArray(t.string) },
  'Readiness',
);
