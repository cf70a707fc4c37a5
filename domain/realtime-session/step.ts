import { type Credits, add, priceOf, subtract, zeroCredits } from '../kernel/credits.js';
import { type Timestamp, secondsAfter, secondsBetween } from '../kernel/timestamp.js';
import type { EndReason, MediaState } from './contract.js';
import { chargedFrom } from './decider.js';

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
const low_credit_seconds = 60;

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
  /** Seconds between two charges. Their price is held while the session runs (`holdForSession`). */
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

interface RunningSession {
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

const noWaits: Waits = {
  negotiation: null,
  expiry: null,
  idleness: null,
  metering: null,
  recording: null,
  ending: null,
};

const withWaits = (session: RunningSession, change: Partial<Waits>): RunningSession => ({
  ...session,
  waits: { ...session.waits, ...change },
});

/** Starts or stops the idle timeout: it runs while there is neither media nor a listener. */
const withIdleness = (session: RunningSession, at: Timestamp): RunningSession => {
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
const nextWait = (waits: Waits): readonly [Wait, Timestamp] | null =>
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
const isCharged = ({ charged_from, failed_at }: RunningSession): boolean => charged_from !== null && failed_at === null;

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
const withMetering = (session: RunningSession, at: Timestamp): RunningSession => {
  const { charged_from, failed_at, ending, terms, waits } = session;
  if (charged_from === null || failed_at !== null || ending !== null || waits.metering !== null) return session;
  const meterings = Math.floor(elapsedSeconds(session, at) / terms.meter_seconds) + 1;
  return withWaits(session, {
    metering: secondsAfter(charged_from, meterings * terms.meter_seconds + timer_slack_seconds),
  });
};

/** The end of a session, as stored. */
interface End {
  readonly reason: EndReason;
  readonly charged: Credits;
}

/** Inputs of a held session: external events, and the results of its effects. */
export type SessionInput =
  | { readonly type: 'Negotiated' }
  | { readonly type: 'MediaReported'; readonly state: MediaState }
  | { readonly type: 'ListenerOpened'; readonly balance: Credits }
  | { readonly type: 'ListenerLeft' }
  | { readonly type: 'TimePassed' }
  /** Charge now, because the account's credit is nearly used up. */
  | { readonly type: 'MeteringRequested' }
  | { readonly type: 'CreditChecked'; readonly seconds_left: number }
  | { readonly type: 'EndRequested'; readonly reason: EndReason }
  | { readonly type: 'MediaStored' }
  | { readonly type: 'MediaNotStored' }
  /** `booked` is null if no whole second had passed. */
  | { readonly type: 'Metered'; readonly booked: { readonly seconds: number; readonly charged: Credits } | null }
  | { readonly type: 'MeteringFailed' }
  | ({ readonly type: 'Ended' } & End)
  | { readonly type: 'EndingFailed' }
  /** A command found the session ended: another instance took its slot because this one stalled. */
  | { readonly type: 'FoundEnded' };

/** Messages to the listener of a running session. */
type ListenerMessage =
  | { readonly type: 'ready'; readonly balance: Credits }
  | { readonly type: 'media'; readonly state: MediaState }
  | { readonly type: 'warning'; readonly code: 'credits_low'; readonly seconds_left: number };

/** Effects to carry out in order. Results of reads and writes come back as inputs. */
export type SessionEffect =
  | { readonly type: 'Send'; readonly message: ListenerMessage }
  | { readonly type: 'SendUsage'; readonly charged: Credits }
  | ({ readonly type: 'RecordMedia' } & MediaChange)
  | { readonly type: 'Meter' }
  | { readonly type: 'CheckCredit' }
  | { readonly type: 'End'; readonly reason: EndReason }
  | { readonly type: 'ReadEnd' }
  /** Close the media and free the slot. */
  | { readonly type: 'ReleaseMedia' }
  /** Send the end reason to the listener as the last message. */
  | { readonly type: 'SendEnd'; readonly reason: EndReason };

type Step = readonly [HeldSession, ReadonlyArray<SessionEffect>];

/** Seconds until a failed write is retried. */
const pause_seconds = 1;

const sendMessage = (message: ListenerMessage): SessionEffect => ({ type: 'Send', message });

const firstUnwritten = ({ unwritten: [first] }: RunningSession): ReadonlyArray<SessionEffect> =>
  first === undefined ? [] : [{ type: 'RecordMedia', ...first }];

/** A session that begins to be charged or goes on: with its first media, and when media that had failed are back. */
const chargeStarted = (session: RunningSession, at: Timestamp): RunningSession =>
  withMetering({ ...session, charged_from: chargedFrom(session, at), failed_at: null }, at);

const chargePaused = (session: RunningSession, at: Timestamp): RunningSession =>
  withWaits({ ...session, failed_at: at }, { metering: null });

/** Media that have failed stay failed until they are connected again: a new offer can do that. */
const mediaReported = (session: RunningSession, state: MediaState, at: Timestamp): Step => {
  const { media, unwritten } = session;
  if (media === state || (media === 'failed' && state === 'disconnected')) return [session, []];
  const changed: RunningSession = { ...session, media: state, unwritten: [...unwritten, { state, at }] };
  const starts = state === 'connected' && !isCharged(session);
  const pauses = state === 'failed' && isCharged(session);
  const next = starts ? chargeStarted(changed, at) : pauses ? chargePaused(changed, at) : changed;
  return [
    withIdleness(next, at),
    [
      sendMessage({ type: 'media', state }),
      ...(unwritten.length === 0 ? firstUnwritten(next) : []),
      ...(starts ? [{ type: 'CheckCredit' } as const] : []),
      ...(pauses && session.ending === null ? [{ type: 'Meter' } as const] : []),
    ],
  ];
};

const listenerOpened = (session: RunningSession, balance: Credits, at: Timestamp): Step => {
  const { media } = session;
  return [
    withIdleness({ ...session, listener: 'open' }, at),
    [
      sendMessage({ type: 'ready', balance }),
      ...(media === null ? [] : [sendMessage({ type: 'media', state: media })]),
      ...(isCharged(session) ? [{ type: 'CheckCredit' } as const] : []),
    ],
  ];
};

const creditLasts = (session: RunningSession, seconds_left: number): Step => {
  if (seconds_left >= low_credit_seconds) return [{ ...session, warned: false }, []];
  return session.warned || session.listener !== 'open'
    ? [session, []]
    : [
        { ...session, warned: true },
        [sendMessage({ type: 'warning', code: 'credits_low', seconds_left: Math.floor(seconds_left) })],
      ];
};

/** From now on the session only waits for its end. The first reason is kept, except for a server shutdown. */
const endWanted = (session: RunningSession, reason: EndReason): Step => {
  if (session.ending !== null && reason !== 'server_shutdown') return [session, []];
  const { recording } = session.waits;
  const waits = reason === 'server_shutdown' ? noWaits : { ...noWaits, recording };
  return [{ ...session, ending: reason, waits }, [{ type: 'End', reason }]];
};

/** A process that shuts down does not retry: what remains is ended at the next start. */
const isShuttingDown = ({ ending }: RunningSession): boolean => ending === 'server_shutdown';

const notEnded = (session: RunningSession, at: Timestamp): RunningSession =>
  session.ending === null || isShuttingDown(session)
    ? session
    : withWaits(session, { ending: secondsAfter(at, pause_seconds) });

const ended = ({ reason, charged }: End): Step => [
  { _tag: 'Finished' },
  [{ type: 'ReleaseMedia' }, { type: 'SendUsage', charged }, { type: 'SendEnd', reason }],
];

const timePassed = (session: RunningSession, at: Timestamp): Step => {
  const [wait, until] = nextWait(session.waits) ?? [null, at];
  if (wait === null || until > at) return [session, []];
  const awake = withWaits(session, { [wait]: null });
  switch (wait) {
    case 'negotiation':
      return endWanted(awake, 'negotiation_timeout');
    case 'expiry':
      return endWanted(awake, 'expired');
    case 'idleness':
      return endWanted(awake, 'idle_timeout');
    case 'metering':
      return [awake, [{ type: 'Meter' }, { type: 'CheckCredit' }]];
    case 'recording':
      return [awake, firstUnwritten(awake)];
    case 'ending':
      return [awake, awake.ending === null ? [] : [{ type: 'End', reason: awake.ending }]];
  }
};

const running = (session: RunningSession, input: SessionInput, at: Timestamp): Step => {
  switch (input.type) {
    case 'Negotiated':
      return [withWaits(session, { negotiation: null }), []];
    case 'MediaReported':
      return mediaReported(session, input.state, at);
    case 'ListenerOpened':
      return listenerOpened(session, input.balance, at);
    case 'ListenerLeft':
      return [withIdleness({ ...session, listener: 'dropped' }, at), []];
    case 'TimePassed':
      return timePassed(session, at);
    case 'MeteringRequested':
      return [session, isCharged(session) && session.ending === null ? [{ type: 'Meter' }] : []];
    case 'CreditChecked':
      return creditLasts(session, input.seconds_left);
    case 'EndRequested':
      return endWanted(session, input.reason);
    case 'MediaStored': {
      const next = { ...session, unwritten: session.unwritten.slice(1) };
      return [next, firstUnwritten(next)];
    }
    case 'MediaNotStored':
      return [
        isShuttingDown(session) ? session : withWaits(session, { recording: secondsAfter(at, pause_seconds) }),
        [],
      ];
    case 'Metered': {
      const { booked } = input;
      const metered_seconds = Math.max(session.metered_seconds, booked?.seconds ?? 0);
      const next = withMetering({ ...session, metered_seconds }, at);
      return [next, booked === null ? [] : [{ type: 'SendUsage', charged: booked.charged }]];
    }
    case 'MeteringFailed':
      return [withMetering(session, at), []];
    case 'Ended':
      return ended(input);
    case 'EndingFailed':
      return [notEnded(session, at), []];
    case 'FoundEnded':
      return [withMetering(session, at), [{ type: 'ReadEnd' }]];
  }
};

/**
 * The transition function: the next session state and the effects of an input. A finished session ignores all inputs.
 */
export const step = (session: HeldSession, input: SessionInput, at: Timestamp): Step =>
  session._tag === 'Finished' ? [session, []] : running(session, input, at);
