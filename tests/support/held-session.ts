import {
  type HeldSession,
  type SessionTerms,
  type SessionEffect,
  type SessionInput,
  newHeldSession,
  nextWakeAt,
  step,
} from '../../domain/realtime-session/step.js';
import { credits } from './credits.js';
import { at } from './values.js';

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
