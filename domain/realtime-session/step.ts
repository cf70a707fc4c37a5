import type { Credits } from '../kernel/credits.js';
import { type Timestamp, secondsAfter } from '../kernel/timestamp.js';
import type { EndReason, MediaState } from './contract.js';
import { chargedFrom } from './decider.js';
import {
  type HeldSession,
  type MediaChange,
  type RunningSession,
  isCharged,
  nextWait,
  noWaits,
  withWaits,
  withIdleness,
  withMetering,
  low_credit_seconds,
} from './held-session.js';

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
