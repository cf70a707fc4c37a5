import type { Either } from 'fp-ts/lib/Either.js';
import { type Credits, add, creditsOf, creditsText, priceOf, subtract, zeroCredits } from '../kernel/credits.js';
import { dataOf, type Decider, nothing, record, refuse } from '../kernel/decider.js';
import { type Erased, erasedBy, refusalOf } from '../kernel/erased.js';
import { type Timestamp, secondsAfter, secondsBetween } from '../kernel/timestamp.js';
import type {
  CreateSession,
  EndReason,
  EndSession,
  IssueToken,
  MediaState,
  RealtimeSessionCommand,
  RealtimeSessionEvent,
  RealtimeSessionRefusal,
} from './contract.js';

type Created = Extract<RealtimeSessionEvent, { type: 'RealtimeSessionCreated' }>['data'];

interface Token {
  readonly token_hash: string;
  readonly token_expires_at: Timestamp;
}

export interface OpenSession {
  readonly _tag: 'Open';
  readonly created: Created;
  /** Tokens that were valid when the newest was issued. */
  readonly tokens: ReadonlyArray<Token>;
  readonly status: 'created' | 'negotiated' | 'connected' | 'disconnected';
  /** The first media, moved later by the time for which media had failed since: use is counted from here. */
  readonly charged_from: Timestamp | null;
  /** Since when media have failed: nothing is charged until they are connected again. */
  readonly failed_at: Timestamp | null;
  /** Metered whole seconds of use, and the number of meterings. */
  readonly metered_seconds: number;
  readonly meterings: number;
  readonly charged: Credits;
}

export interface EndedSession {
  readonly _tag: 'Ended';
  readonly created: Created;
  readonly tokens: ReadonlyArray<Token>;
  readonly reason: EndReason;
  readonly duration_seconds: number;
  readonly charged: Credits;
}

export type RealtimeSessionState = { readonly _tag: 'Uncreated' } | OpenSession | EndedSession | Erased;

type Decision = Either<RealtimeSessionRefusal, ReadonlyArray<RealtimeSessionEvent>>;

const opened = (created: Created): OpenSession => ({
  _tag: 'Open',
  created,
  tokens: [{ token_hash: created.token_hash, token_expires_at: created.token_expires_at }],
  status: 'created',
  charged_from: null,
  failed_at: null,
  metered_seconds: 0,
  meterings: 0,
  charged: zeroCredits,
});

const validAt = (tokens: ReadonlyArray<Token>, at: Timestamp): ReadonlyArray<Token> =>
  tokens.filter(({ token_expires_at }) => token_expires_at > at);

/** Whether a token is valid for the session, or was when it ended. */
export const isValidToken = (state: RealtimeSessionState, token_hash: string, at: Timestamp): boolean =>
  (state._tag === 'Open' || state._tag === 'Ended') &&
  validAt(state.tokens, at).some((token) => token.token_hash === token_hash);

/** Where use is counted from once media are connected: the time since they failed is left out. */
export const chargedFrom = (
  { charged_from, failed_at }: Pick<OpenSession, 'charged_from' | 'failed_at'>,
  at: Timestamp,
): Timestamp => {
  if (charged_from === null) return at;
  return failed_at === null ? charged_from : secondsAfter(charged_from, Math.max(0, secondsBetween(failed_at, at)));
};

type StandingEvent = Exclude<RealtimeSessionEvent, { type: 'MediumErased' }>;

const evolveOpen = (open: OpenSession, event: StandingEvent): RealtimeSessionState => {
  switch (event.type) {
    case 'RealtimeSessionCreated':
      return open;
    case 'RealtimeSessionTokenIssued': {
      const { at, ...token } = event.data;
      return { ...open, tokens: [...validAt(open.tokens, at), token] };
    }
    case 'RealtimeSessionNegotiated':
      return { ...open, status: 'negotiated' };
    case 'RealtimeSessionConnected':
      return { ...open, status: 'connected', charged_from: chargedFrom(open, event.data.at), failed_at: null };
    case 'RealtimeSessionDisconnected':
      return { ...open, status: 'disconnected', failed_at: event.data.state === 'failed' ? event.data.at : null };
    case 'RealtimeSessionMetered': {
      const { to_second, amount } = event.data;
      const charged = add(open.charged, creditsOf(amount));
      return { ...open, metered_seconds: to_second, meterings: open.meterings + 1, charged };
    }
    case 'RealtimeSessionEnded': {
      const { reason, duration_seconds, credits_charged } = event.data;
      const { created, tokens } = open;
      return { _tag: 'Ended', created, tokens, reason, duration_seconds, charged: creditsOf(credits_charged) };
    }
  }
};

const evolve = (state: RealtimeSessionState, event: RealtimeSessionEvent): RealtimeSessionState => {
  if (event.type === 'MediumErased') return erasedBy(event.data);
  if (event.type === 'RealtimeSessionCreated') return opened(event.data);
  return state._tag === 'Open' ? evolveOpen(state, event) : state;
};

const secondsPerPrice = 60;

/**
 * Meters the whole seconds of use that are not metered yet. Their cost is the difference of total costs, so that
 * rounding errors do not add up.
 */
const due = (open: OpenSession, until: Timestamp): ReadonlyArray<RealtimeSessionEvent> => {
  const { charged_from, failed_at, metered_seconds, meterings, charged } = open;
  const { session_id, account_id, price_per_minute } = open.created;
  const used_until = failed_at !== null && failed_at < until ? failed_at : until;
  const to_second = charged_from === null ? 0 : Math.floor(secondsBetween(charged_from, used_until));
  if (to_second <= metered_seconds) return [];
  const total = priceOf(creditsOf(price_per_minute), to_second, secondsPerPrice);
  const stretch = { index: meterings, from_second: metered_seconds, to_second };
  const amount = creditsText(subtract(total, charged));
  return [{ type: 'RealtimeSessionMetered', data: { session_id, account_id, ...stretch, amount, at: until } }];
};

const end = (open: OpenSession, { reason, used_until, at }: EndSession): Decision => {
  const metered = used_until === null ? [] : due(open, used_until);
  const after = metered.reduce(evolve, open);
  if (after._tag !== 'Open') return nothing;
  const { session_id, account_id } = open.created;
  const duration_seconds = after.metered_seconds;
  const credits_charged = creditsText(after.charged);
  return record<RealtimeSessionEvent>(...metered, {
    type: 'RealtimeSessionEnded',
    data: { session_id, account_id, reason, duration_seconds, credits_charged, at },
  });
};

/** Media that have failed stay failed until they are connected again. */
const noteMedia = ({ status, failed_at }: OpenSession, state: MediaState, at: Timestamp): Decision => {
  const isConnected = status === 'connected';
  if (state === 'connected')
    return isConnected ? nothing : record<RealtimeSessionEvent>({ type: 'RealtimeSessionConnected', data: { at } });
  const isLost = isConnected || (state === 'failed' && status === 'disconnected' && failed_at === null);
  return isLost ? record<RealtimeSessionEvent>({ type: 'RealtimeSessionDisconnected', data: { state, at } }) : nothing;
};

const maxTokens = 50;

const issueToken = ({ tokens }: OpenSession, command: IssueToken): Decision =>
  validAt(tokens, command.at).length < maxTokens
    ? record<RealtimeSessionEvent>({ type: 'RealtimeSessionTokenIssued', data: dataOf(command) })
    : refuse({ _tag: 'TooManyTokens', most: maxTokens });

const create = (state: RealtimeSessionState, command: CreateSession): Decision =>
  state._tag === 'Uncreated'
    ? record<RealtimeSessionEvent>({
        type: 'RealtimeSessionCreated',
        data: { ...dataOf(command), price_per_minute: creditsText(command.price_per_minute) },
      })
    : refuse({ _tag: 'SessionExists' });

const erase = (state: RealtimeSessionState, at: Timestamp): Decision => {
  switch (state._tag) {
    case 'Uncreated':
      return refuse({ _tag: 'SessionNotFound' });
    case 'Open':
      return refuse({ _tag: 'SessionRunning' });
    case 'Erased':
      return refuse(refusalOf(state));
    case 'Ended':
      return record<RealtimeSessionEvent>({
        type: 'MediumErased',
        data: { medium: 'realtime_session', owner_id: state.created.account_id, linked: null, at },
      });
  }
};

/**
 * One realtime session: created, negotiated, connected, metered by the second, ended once with a reason, and erased.
 */
export const realtimeSession: Decider<
  RealtimeSessionCommand,
  RealtimeSessionState,
  RealtimeSessionEvent,
  RealtimeSessionRefusal
> = {
  category: 'realtimeSession',
  initial: { _tag: 'Uncreated' },
  evolve,
  decide: (command, state) => {
    if (command.type === 'CreateSession') return create(state, command);
    if (command.type === 'EraseSession') return erase(state, command.at);
    if (state._tag !== 'Open') return refuse({ _tag: 'SessionNotFound' });
    switch (command.type) {
      case 'IssueToken':
        return issueToken(state, command);
      case 'RecordNegotiation':
        return state.status === 'created'
          ? record<RealtimeSessionEvent>({ type: 'RealtimeSessionNegotiated', data: dataOf(command) })
          : nothing;
      case 'RecordMedia':
        return noteMedia(state, command.state, command.at);
      case 'MeterSession':
        return record<RealtimeSessionEvent>(...due(state, command.at));
      case 'EndSession':
        return end(state, command);
    }
  },
};
