import { type Credits, add, priceOf, subtract, zeroCredits } from '../kernel/credits.js';
import { type Timestamp, secondsAfter, secondsBetween } from '../kernel/timestamp.js';
import type { EndReason, MediaState } from './contract.js';

/** The price of a running session, and its use that is not charged yet. */
interface Use {
  readonly price_per_minute: Credits;
  readonly unbooked_ms: number;
}

const millisecondsPerPrice = 60_000;

/**
 * How many seconds the credit lasts while all these sessions continue, with millisecond precision; infinite if they
 * cost nothing.
 */
export const secondsLeft = (uses: ReadonlyArray<Use>, left: Credits): number => {
  const per_minute = uses.reduce((sum, { price_per_minute }) => add(sum, price_per_minute), zeroCredits);
  if (per_minute <= zeroCredits) return Number.POSITIVE_INFINITY;
  const used = uses.reduce(
    (sum, { price_per_minute, unbooked_ms }) => add(sum, priceOf(price_per_minute, unbooked_ms, millisecondsPerPrice)),
    zeroCredits,
  );
  const free = subtract(left, used);
  return free <= zeroCredits ? 0 : Number((BigInt(millisecondsPerPrice) * free) / per_minute) / 1_000;
};

/** Listeners are warned if the credit lasts for fewer seconds. */
export const low_credit_seconds = 60;

/** Added to timeouts in seconds, because timers may fire slightly early. */
const timer_slack_seconds = 0.005;
/** Minimum and maximum seconds until the next credit check. */
const shortest_wait = 0.25;
const longest_wait = 3_600;

interface CreditCheck {
  readonly after_seconds: number;
  /** Whether all use must be charged before the check. */
  readonly books: boolean;
}

/** When to check a credit again that lasts for `seconds_left`: when it becomes low or used up. Null: never. */
export const nextCreditCheck = (seconds_left: number): CreditCheck | null => {
  if (seconds_left === Number.POSITIVE_INFINITY) return null;
  const books = seconds_left < low_credit_seconds;
  const wait = (books ? seconds_left : seconds_left - low_credit_seconds) + timer_slack_seconds;
  return { after_seconds: Math.min(Math.max(wait, shortest_wait), longest_wait), books };
};

/** Terms that apply to a session for its whole duration. */
export interface SessionTerms {
  readonly price_per_minute: Credits;
  /** Seconds between two charges. */
  readonly meter_seconds: number;
  /** Seconds after which a session without an answered offer ends. */
  readonly negotiation_seconds: number;
  /** Seconds after which a session with neither media nor a listener ends. */
  readonly idle_seconds: number;
  /** Maximum duration of a session in seconds. */
  readonly session_seconds: number;
}

/** What a session waits for. */
type Wait = 'negotiation' | 'expiry' | 'idleness' | 'metering' | 'recording' | 'ending';
type Waits = Readonly<Record<Wait, Timestamp | null>>;

/** A change of the media state. */
export interface MediaChange {
  readonly state: MediaState;
  readonly at: Timestamp;
}

export interface RunningSession {
  readonly _tag: 'Running';
  readonly terms: SessionTerms;
  readonly media: MediaState | null;
  /** The first media, moved later by the time for which media had failed since: use is counted from here. */
  readonly charged_from: Timestamp | null;
  /** Since when media that had been connected have failed: nothing is charged until they are connected again. */
  readonly failed_at: Timestamp | null;
  /** Whole seconds of use that are known to be charged. */
  readonly metered_seconds: number;
  /** `dropped`: the listener has left, and no other can join. */
  readonly listener: 'none' | 'open' | 'dropped';
  /** Whether the listener was warned of low credit. */
  readonly warned: boolean;
  /** Media changes that are not stored yet: the first one is being stored or waits for a retry. */
  readonly unwritten: ReadonlyArray<MediaChange>;
  /** Why it must end; null: it may continue. */
  readonly ending: EndReason | null;
  /** When each wait ends; null: not waiting. */
  readonly waits: Waits;
}

/** A session held by a process, from its creation until its end is stored. */
export type HeldSession = RunningSession | { readonly _tag: 'Finished' };

export const noWaits: Waits = {
  negotiation: null,
  expiry: null,
  idleness: null,
  metering: null,
  recording: null,
  ending: null,
};

export const withWaits = (session: RunningSession, change: Partial<Waits>): RunningSession => ({
  ...session,
  waits: { ...session.waits, ...change },
});

/** Starts or stops the idle timeout: it runs while there is neither media nor a listener. */
export const withIdleness = (session: RunningSession, at: Timestamp): RunningSession => {
  const { media, listener, ending, terms, waits } = session;
  if (ending !== null) return session;
  const isIdle = media !== 'connected' && listener !== 'open';
  return withWaits(session, { idleness: isIdle ? (waits.idleness ?? secondsAfter(at, terms.idle_seconds)) : null });
};

/** A new session, with its timeouts for negotiation, idleness and maximum duration. */
export const newHeldSession = (terms: SessionTerms, at: Timestamp): RunningSession =>
  withIdleness(
    {
      _tag: 'Running',
      terms,
      media: null,
      charged_from: null,
      failed_at: null,
      metered_seconds: 0,
      listener: 'none',
      warned: false,
      unwritten: [],
      ending: null,
      waits: {
        ...noWaits,
        negotiation: secondsAfter(at, terms.negotiation_seconds),
        expiry: secondsAfter(at, terms.session_seconds),
      },
    },
    at,
  );

/** The wait that ends first; of several at the same time the first in this order. */
export const nextWait = (waits: Waits): readonly [Wait, Timestamp] | null =>
  (['negotiation', 'expiry', 'idleness', 'metering', 'recording', 'ending'] as const).reduce<
    readonly [Wait, Timestamp] | null
  >((first, wait) => {
    const until = waits[wait];
    return until === null || (first !== null && first[1] <= until) ? first : [wait, until];
  }, null);

/** When the session next needs a `TimePassed` input; null if no wait is set. */
export const nextWakeAt = (session: HeldSession): Timestamp | null =>
  session._tag === 'Finished' ? null : (nextWait(session.waits)?.[1] ?? null);

const elapsedSeconds = ({ charged_from }: RunningSession, at: Timestamp): number =>
  charged_from === null ? 0 : Math.max(0, secondsBetween(charged_from, at));

/** Whether a session is in use, and charged: from its first media on, but not while media have failed. */
export const isCharged = ({ charged_from, failed_at }: RunningSession): boolean =>
  charged_from !== null && failed_at === null;

/** Until when a session has been in use. */
export const usedUntil = (session: HeldSession, at: Timestamp): Timestamp =>
  session._tag === 'Finished' ? at : (session.failed_at ?? at);

/** The use of a session that is not charged yet; null if it is not in use. */
export const unbookedUse = (session: HeldSession, at: Timestamp): Use | null =>
  session._tag === 'Finished' || !isCharged(session)
    ? null
    : {
        price_per_minute: session.terms.price_per_minute,
        unbooked_ms: Math.max(0, Math.round((elapsedSeconds(session, at) - session.metered_seconds) * 1_000)),
      };

/** Schedules the next metering: at regular intervals of use. */
export const withMetering = (session: RunningSession, at: Timestamp): RunningSession => {
  const { charged_from, failed_at, ending, terms, waits } = session;
  if (charged_from === null || failed_at !== null || ending !== null || waits.metering !== null) return session;
  const meterings = Math.floor(elapsedSeconds(session, at) / terms.meter_seconds) + 1;
  return withWaits(session, {
    metering: secondsAfter(charged_from, meterings * terms.meter_seconds + timer_slack_seconds),
  });
};
