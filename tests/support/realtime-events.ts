import type { JsonObject } from '../../domain/kernel/recorded-event.js';
import type { TakeSlot } from '../../domain/realtime-capacity/contract.js';
import { realtimeCapacity } from '../../domain/realtime-capacity/decider.js';
import { creditsText as asText } from '../../domain/kernel/credits.js';
import type {
  CreateSession,
  RealtimeSessionCommand,
  RealtimeSessionEvent,
} from '../../domain/realtime-session/contract.js';
import { realtimeSession } from '../../domain/realtime-session/decider.js';
import { credits } from './credits.js';
import { specification } from './specification.js';
import { accountId, at, instanceId, sessionId } from './values.js';

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
