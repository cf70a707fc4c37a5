import type { Credits } from '../kernel/credits.js';
import { type Timestamp, secondsAfter } from '../kernel/timestamp.js';
import type { EndReason, MediaState } from './contract.js';
import {
  type HeldSession,
  type MediaChange,
  type RunningSession,
  nextWait,
  noWaits,
  waiting,
  withIdleness,
  withMetering,
  low_seconds,
} from './held-session.js';

/** The end of a session, as stored. */
interface End {
  readonly reason: EndReason;
  readonly duration_seconds: number;
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
  | { readonly type: 'BookingWanted' }
  | { readonly type: 'CreditLasts'; readonly seconds_left: number }
  | { readonly type: 'EndWanted'; readonly reason: EndReason }
  | { readonly type: 'MediaNoted' }
  | { readonly type: 'MediaNotNoted' }
  /** `booked` is null if no whole second had passed. */
  | { readonly type: 'Metered'; readonly booked: { readonly seconds: number; readonly charged: Credits } | null }
  | { readonly type: 'NotMetered' }
  | ({ readonly type: 'Ended' } & End)
  | { readonly type: 'NotEnded' }
  /** A command found the session ended: another instance took its slot because this one stalled. */
  | { readonly type: 'FoundEnded' };

/** Messages to the listener of a running session. */
type ListenerNews =
  | { readonly type: 'ready'; readonly balance: Credits }
  | { readonly type: 'media'; readonly state: MediaState }
  | { readonly type: 'warning'; readonly code: 'credits_low'; readonly seconds_left: number };

/** Effects to carry out in order. Results of reads and writes come back as inputs. */
export type SessionEffect =
  | { readonly type: 'Tell'; readonly news: ListenerNews }
  | { readonly type: 'TellUsage'; readonly charged: Credits }
  | ({ readonly type: 'NoteMedia' } & MediaChange)
  | { readonly type: 'Meter' }
  | { readonly type: 'AssessCredit' }
  | { readonly type: 'End'; readonly reason: EndReason }
  | { readonly type: 'ReadEnd' }
  /** Close the media and free the slot. */
  | { readonly type: 'LetGo' }
  /** Send the end reason to the listener as the last message. */
  | { readonly type: 'SayFarewell'; readonly reason: EndReason };

type Step = readonly [HeldSession, ReadonlyArray<SessionEffect>];

/** Seconds until a failed write is retried. */
const pause_seconds = 1;

const told = (news: ListenerNews): SessionEffect => ({ type: 'Tell', news });

const firstUnwritten = ({ unwritten: [first] }: RunningSession): ReadonlyArray<SessionEffect> =>
  first === undefined ? [] : [{ type: 'NoteMedia', ...first }];

const mediaReported = (session: RunningSession, state: MediaState, at: Timestamp): Step => {
  if (session.media === state) return [session, []];
  const isFirst = state === 'connected' && session.first_media_at === null;
  const changed: RunningSession = { ...session, media: state, unwritten: [...session.unwritten, { state, at }] };
  const next = isFirst ? withMetering({ ...changed, first_media_at: at }, at) : changed;
  return [
    withIdleness(next, at),
    [
      told({ type: 'media', state }),
      ...(session.unwritten.length === 0 ? firstUnwritten(next) : []),
      ...(isFirst ? [{ type: 'AssessCredit' } as const] : []),
    ],
  ];
};

const listenerOpened = (session: RunningSession, balance: Credits, at: Timestamp): Step => {
  const { media, first_media_at } = session;
  return [
    withIdleness({ ...session, listener: 'open' }, at),
    [
      told({ type: 'ready', balance }),
      ...(media === null ? [] : [told({ type: 'media', state: media })]),
      ...(first_media_at === null ? [] : [{ type: 'AssessCredit' } as const]),
    ],
  ];
};

const creditLasts = (session: RunningSession, seconds_left: number): Step => {
  if (seconds_left >= low_seconds) return [{ ...session, warned: false }, []];
  return session.warned || session.listener !== 'open'
    ? [session, []]
    : [
        { ...session, warned: true },
        [told({ type: 'warning', code: 'credits_low', seconds_left: Math.floor(seconds_left) })],
      ];
};

/** From now on the session only waits for its end. The first reason is kept, except for a server shutdown. */
const endWanted = (session: RunningSession, reason: EndReason): Step => {
  if (session.ending !== null && reason !== 'server_shutdown') return [session, []];
  const { noting } = session.waits;
  const waits = reason === 'server_shutdown' ? noWaits : { ...noWaits, noting };
  return [{ ...session, ending: reason, waits }, [{ type: 'End', reason }]];
};

/** A process that shuts down does not retry: what remains is ended at the next start. */
const isLeft = ({ ending }: RunningSession): boolean => ending === 'server_shutdown';

const notEnded = (session: RunningSession, at: Timestamp): RunningSession =>
  session.ending === null || isLeft(session) ? session : waiting(session, { ending: secondsAfter(at, pause_seconds) });

const ended = ({ reason, duration_seconds, charged }: End): Step => [
  { _tag: 'Over' },
  [
    { type: 'LetGo' },
    ...(duration_seconds > 0 ? [{ type: 'TellUsage', charged } as const] : []),
    { type: 'SayFarewell', reason },
  ],
];

const timePassed = (session: RunningSession, at: Timestamp): Step => {
  const [wait, until] = nextWait(session.waits) ?? [null, at];
  if (wait === null || until > at) return [session, []];
  const awake = waiting(session, { [wait]: null });
  switch (wait) {
    case 'negotiation':
      return endWanted(awake, 'negotiation_timeout');
    case 'expiry':
      return endWanted(awake, 'expired');
    case 'idleness':
      return endWanted(awake, 'idle_timeout');
    case 'metering':
      return [awake, [{ type: 'Meter' }, { type: 'AssessCredit' }]];
    case 'noting':
      return [awake, firstUnwritten(awake)];
    case 'ending':
      return [awake, awake.ending === null ? [] : [{ type: 'End', reason: awake.ending }]];
  }
};

const running = (session: RunningSession, input: SessionInput, at: Timestamp): Step => {
  switch (input.type) {
    case 'Negotiated':
      return [waiting(session, { negotiation: null }), []];
    case 'MediaReported':
      return mediaReported(session, input.state, at);
    case 'ListenerOpened':
      return listenerOpened(session, input.balance, at);
    case 'ListenerLeft':
      return [withIdleness({ ...session, listener: 'dropped' }, at), []];
    case 'TimePassed':
      return timePassed(session, at);
    case 'BookingWanted':
      return [session, session.first_media_at === null || session.ending !== null ? [] : [{ type: 'Meter' }]];
    case 'CreditLasts':
      return creditLasts(session, input.seconds_left);
    case 'EndWanted':
      return endWanted(session, input.reason);
    case 'MediaNoted': {
      const next = { ...session, unwritten: session.unwritten.slice(1) };
      return [next, firstUnwritten(next)];
    }
    case 'MediaNotNoted':
      return [isLeft(session) ? session : waiting(session, { noting: secondsAfter(at, pause_seconds) }), []];
    case 'Metered': {
      const { booked } = input;
      const metered_seconds = Math.max(session.metered_seconds, booked?.seconds ?? 0);
      const next = withMetering({ ...session, metered_seconds }, at);
      return [next, booked === null ? [] : [{ type: 'TellUsage', charged: booked.charged }]];
    }
    case 'NotMetered':
      return [withMetering(session, at), []];
    case 'Ended':
      return ended(input);
    case 'NotEnded':
      return [notEnded(session, at), []];
    case 'FoundEnded':
      return [withMetering(session, at), [{ type: 'ReadEnd' }]];
  }
};

/**
 * The transition function: the next session state and the effects of an input. A finished session ignores all inputs.
 */
export const step = (session: HeldSession, input: SessionInput, at: Timestamp): Step =>
  session._tag === 'Over' ? [session, []] : running(session, input, at);
