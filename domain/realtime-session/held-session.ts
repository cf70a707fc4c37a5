import { type Credits, add, priceOf, subtract, zeroCredits } from '../kernel/credits.js';
import { type Timestamp, secondsAfter, secondsBetween } from '../kernel/timestamp.js';
import type { EndReason, MediaState } from './contract.js';

/** A session that goes on, and what of its use is not booked yet. */
interface Use {
  readonly price_per_minute: Credits;
  readonly unbooked_ms: number;
}

const millisecondsPerPrice = 60_000;

/** For how many seconds, to the millisecond, what is left lasts when all of these go on; infinite when they cost nothing. */
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

/** With less credit than for so many seconds, listeners are warned. */
export const low_seconds = 60;

/** A timer may fire a moment early: so much later the time has passed for certain. */
const slack_seconds = 0.005;
/** The shortest and the longest wait for the next look at a credit. */
const shortest_wait = 0.25;
const longest_wait = 3_600;

interface NextLook {
  readonly after_seconds: number;
  /** Whether all that was used is to be booked before it. */
  readonly books: boolean;
}

/** When a credit that lasts for so many seconds is to be looked at again: as it is low, or used up. Null: never. */
export const nextLook = (seconds_left: number): NextLook | null => {
  if (seconds_left === Number.POSITIVE_INFINITY) return null;
  const books = seconds_left < low_seconds;
  const wait = (books ? seconds_left : seconds_left - low_seconds) + slack_seconds;
  return { after_seconds: Math.min(Math.max(wait, shortest_wait), longest_wait), books };
};

/** What holds for a session from its beginning to its end. */
export interface SessionTerms {
  readonly price_per_minute: Credits;
  /** Seconds between two charges of a session. */
  readonly meter_seconds: number;
  /** A session without an answered offer ends after so many seconds. */
  readonly negotiation_seconds: number;
  /** A session with neither media nor a listener ends after so many seconds. */
  readonly idle_seconds: number;
  /** After so many seconds a session ends, whatever it does. */
  readonly session_seconds: number;
}

/** What a session waits for. */
type Wait = 'negotiation' | 'expiry' | 'idleness' | 'metering' | 'noting' | 'ending';
type Waits = Readonly<Record<Wait, Timestamp | null>>;

/** Where the media stand since a time. */
export interface MediaChange {
  readonly state: MediaState;
  readonly at: Timestamp;
}

export interface RunningSession {
  readonly _tag: 'Running';
  readonly terms: SessionTerms;
  readonly media: MediaState | null;
  readonly first_media_at: Timestamp | null;
  /** Whole seconds since the first media that are known to be booked. */
  readonly metered_seconds: number;
  /** `dropped`: the listener has gone, and none can take its place. */
  readonly listener: 'none' | 'open' | 'dropped';
  /** Whether the listener was told that the credit runs low. */
  readonly warned: boolean;
  /** Changes of the media that are not written yet: the first is being written, or waits for its repetition. */
  readonly unwritten: ReadonlyArray<MediaChange>;
  /** Why it has to end; null: it may go on. */
  readonly ending: EndReason | null;
  /** Until when what is waited for; null: it is not waited for. */
  readonly waits: Waits;
}

/** A session that a process holds, from its creation until its end is written. */
export type HeldSession = RunningSession | { readonly _tag: 'Over' };

export const noWaits: Waits = {
  negotiation: null,
  expiry: null,
  idleness: null,
  metering: null,
  noting: null,
  ending: null,
};

export const waiting = (session: RunningSession, change: Partial<Waits>): RunningSession => ({
  ...session,
  waits: { ...session.waits, ...change },
});

/** A session with neither media nor a listener has so many seconds left, negotiated or not. */
export const withIdleness = (session: RunningSession, at: Timestamp): RunningSession => {
  const { media, listener, ending, terms, waits } = session;
  if (ending !== null) return session;
  const isIdle = media !== 'connected' && listener !== 'open';
  return waiting(session, { idleness: isIdle ? (waits.idleness ?? secondsAfter(at, terms.idle_seconds)) : null });
};

/** A session as it begins: so many seconds to negotiate, so many to be used, and so many in all. */
export const begun = (terms: SessionTerms, at: Timestamp): RunningSession =>
  withIdleness(
    {
      _tag: 'Running',
      terms,
      media: null,
      first_media_at: null,
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

/** What is waited for the shortest, and until when; of several at once the first in the order of their kinds. */
export const nextWait = (waits: Waits): readonly [Wait, Timestamp] | null =>
  (['negotiation', 'expiry', 'idleness', 'metering', 'noting', 'ending'] as const).reduce<
    readonly [Wait, Timestamp] | null
  >((first, wait) => {
    const until = waits[wait];
    return until === null || (first !== null && first[1] <= until) ? first : [wait, until];
  }, null);

/** When time is to be told to the session again; null: never, unless something else happens. */
export const wakesAt = (session: HeldSession): Timestamp | null =>
  session._tag === 'Over' ? null : (nextWait(session.waits)?.[1] ?? null);

const elapsedSeconds = ({ first_media_at }: RunningSession, at: Timestamp): number =>
  first_media_at === null ? 0 : Math.max(0, secondsBetween(first_media_at, at));

/** What a session has used and not booked; null before its first media. */
export const unbookedUse = (session: HeldSession, at: Timestamp): Use | null =>
  session._tag === 'Over' || session.first_media_at === null
    ? null
    : {
        price_per_minute: session.terms.price_per_minute,
        unbooked_ms: Math.max(0, Math.round((elapsedSeconds(session, at) - session.metered_seconds) * 1_000)),
      };

/** From the first media on a session is charged every so many seconds, and at its end. */
export const withMetering = (session: RunningSession, at: Timestamp): RunningSession => {
  const { first_media_at, ending, terms, waits } = session;
  if (first_media_at === null || ending !== null || waits.metering !== null) return session;
  const meterings = Math.floor(elapsedSeconds(session, at) / terms.meter_seconds) + 1;
  return waiting(session, { metering: secondsAfter(first_media_at, meterings * terms.meter_seconds + slack_seconds) });
};
