import { creditsText as asText } from '../../domain/kernel/credits.js';
import type { JsonObject } from '../../domain/kernel/recorded-event.js';
import type { TakeSlot } from '../../domain/realtime-capacity/contract.js';
import { realtimeCapacity } from '../../domain/realtime-capacity/decider.js';
import type {
  CreateSession,
  RealtimeSessionCommand,
  RealtimeSessionEvent,
} from '../../domain/realtime-session/contract.js';
import { realtimeSession } from '../../domain/realtime-session/decider.js';
import {
  type HeldSession,
  type SessionTerms,
  type SessionEffect,
  type SessionInput,
  newHeldSession,
  nextWakeAt,
  step,
} from '../../domain/realtime-session/step.js';
import { specification } from './specification.js';
import { credits, accountId, at, instanceId, sessionId } from './values.js';

const repeatable: ReadonlyArray<RealtimeSessionCommand['type']> = ['RecordNegotiation', 'RecordMedia', 'MeterSession'];

/** A repeated end, creation or erasure is refused; every token is new; repetitions of other commands change nothing. */
export const theSession = specification(realtimeSession, (command) =>
  repeatable.includes(command.type) ? command : null,
);

export const theCapacity = specification(realtimeCapacity, (command) => command);

interface Creation {
  readonly seconds?: number;
  readonly price?: string;
  readonly metadata?: JsonObject;
}

/** A session of the owner's that costs `price` a minute, created this many seconds after noon. */
export const creation = (id: string, { seconds = 0, price = '0.7', metadata = {} }: Creation = {}): CreateSession => ({
  type: 'CreateSession',
  session_id: sessionId(id),
  account_id: accountId('owner'),
  instance_id: instanceId('here'),
  token_hash: 'hash',
  token_expires_at: at(seconds + 600),
  expires_at: at(seconds + 14_400),
  price_per_minute: credits(price),
  metadata,
  at: at(seconds),
});

/** The event that results from it. */
export const createdBy = ({ type: _type, ...command }: CreateSession): RealtimeSessionEvent => ({
  type: 'RealtimeSessionCreated',
  data: { ...command, price_per_minute: asText(command.price_per_minute) },
});

interface Taking {
  readonly account?: string;
  readonly capacity?: number;
  readonly account_capacity?: number;
  readonly seconds?: number;
  readonly lapses?: number;
  readonly instance?: string;
}

export const takeSlot = (
  id: string,
  {
    account = 'owner',
    capacity = 1,
    account_capacity = capacity,
    seconds = 0,
    lapses = seconds + 14_400,
    instance = 'here',
  }: Taking = {},
): TakeSlot => ({
  type: 'TakeSlot',
  session_id: sessionId(id),
  account_id: accountId(account),
  instance_id: instanceId(instance),
  capacity,
  account_capacity,
  lapses_at: at(lapses),
  at: at(seconds),
});

/** An input, so many seconds after the session began. */
type Timed = readonly [seconds: number, input: SessionInput];

export const terms: SessionTerms = {
  price_per_minute: credits('0.6'),
  meter_seconds: 10,
  negotiation_seconds: 60,
  idle_seconds: 30,
  session_seconds: 600,
};

export const time: SessionInput = { type: 'TimePassed' };
export const negotiated: SessionInput = { type: 'Negotiated' };
export const noted: SessionInput = { type: 'MediaStored' };
export const media = (state: 'connected' | 'disconnected' | 'failed'): SessionInput => ({
  type: 'MediaReported',
  state,
});
export const connected = media('connected');
export const opened: SessionInput = { type: 'ListenerOpened', balance: credits('9') };
export const left: SessionInput = { type: 'ListenerLeft' };
export const booked = (seconds: number): SessionInput => ({
  type: 'Metered',
  booked: { seconds, charged: credits('0.1') },
});
export const endWanted = (reason: 'insufficient_credits' | 'key_revoked' | 'server_shutdown'): SessionInput => ({
  type: 'EndRequested',
  reason,
});

/** When a session wakes, in seconds since it began; null if it waits for nothing. */
export const wakes = (session: HeldSession): number | null => {
  const until = nextWakeAt(session);
  return until === null ? null : (Date.parse(until) - Date.parse(at(0))) / 1_000;
};

/** A session held by a process, after these inputs. */
export const heldSession = (...before: ReadonlyArray<Timed>) => {
  const given = before.reduce<HeldSession>(
    (session, [seconds, input]) => step(session, input, at(seconds))[0],
    newHeldSession(terms, at(0)),
  );
  return {
    session: given,
    /** The effects of an input, and the session after it. */
    when: (
      seconds: number,
      input: SessionInput,
    ): { readonly effects: ReadonlyArray<SessionEffect>; readonly session: HeldSession } => {
      const [session, effects] = step(given, input, at(seconds));
      return { session, effects };
    },
  };
};
