import { type CreditAccountEvent, creditAccountEvents } from '../domain/credit-account/contract.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import { type CreditsText, add, creditsOf, creditsText, negate, zeroCredits } from '../domain/kernel/credits.js';
import { type RecordedEvent, isEventOf, streamId } from '../domain/kernel/recorded-event.js';
import { AccountId, SessionId } from '../domain/kernel/ids.js';
import type { CreditAccountRow, LedgerEntry } from './credit-views.js';
import { typeName } from './event-selection.js';
import { type Projection, type Rows, tables } from './tables.js';

type Booking = Extract<CreditAccountEvent, { type: 'CreditsGranted' | 'CreditsCorrected' | 'CreditsCharged' }>;
type Recorded = Omit<RecordedEvent<DomainEvent>, 'event'>;

const nothing = creditsText(zeroCredits);
/** `2026-01-31T23`. */
const hourLength = 13;

const unused = (account_id: AccountId): CreditAccountRow => ({
  account_id,
  balance: nothing,
  charged_total: nothing,
  window: null,
  holds: [],
  revision: -1,
});

const sum = (one: CreditsText, other: CreditsText): CreditsText => creditsText(add(creditsOf(one), creditsOf(other)));

const kinds = { CreditsGranted: 'grant', CreditsCorrected: 'correction', CreditsCharged: 'charge' } as const;
const categories = { ...kinds, CreditsCharged: 'name_inference', Session: 'realtime' } as const;

const withoutHold = ({ holds }: CreditAccountRow, id: string): CreditAccountRow['holds'] =>
  holds.filter(({ hold_id }) => hold_id !== id);

const addUsage = (rows: Rows, { account_id, at, category, key_id, amount }: LedgerEntry): void => {
  const of = { account_id, hour: at.slice(0, hourLength), category, key_id };
  const known = rows.usage.get(tables.usage.key({ ...of, charges: 0, amount: nothing }));
  const charged = creditsText(negate(creditsOf(amount)));
  rows.usage.put({ ...of, charges: (known?.charges ?? 0) + 1, amount: sum(known?.amount ?? nothing, charged) });
};

const book = (rows: Rows, account: CreditAccountRow, event: Booking, { event_id, metadata }: Recorded): void => {
  const { amount, balance_after, reason, at } = event.data;
  const charge = event.type === 'CreditsCharged' ? event.data : null;
  const session_id = charge?.session_id ?? null;
  const charged_total = charge === null ? account.charged_total : sum(account.charged_total, amount);
  const holds = charge === null ? account.holds : withoutHold(account, charge.charge_id);
  rows.creditAccounts.put({ ...account, balance: balance_after, charged_total, holds });
  const entry: LedgerEntry = {
    entry_id: event_id,
    account_id: account.account_id,
    at,
    kind: kinds[event.type],
    category: categories[session_id === null ? event.type : 'Session'],
    // A session is charged to the key that created it, no matter which key ended it.
    key_id: rows.sessionKeys.get(session_id ?? '')?.key_id ?? metadata.actor.key_id,
    amount: charge === null ? amount : creditsText(negate(creditsOf(amount))),
    balance_after,
    charged_total,
    reason,
    run_id: charge?.run_id ?? null,
    session_id,
    audio_id: charge?.audio_id ?? null,
    request_id: metadata.correlation_id,
  };
  rows.ledger.put(entry);
  if (charge !== null) addUsage(rows, entry);
};

const project = (rows: Rows, account: CreditAccountRow, event: CreditAccountEvent, recorded: Recorded): void => {
  switch (event.type) {
    case 'CreditsGranted':
    case 'CreditsCorrected':
    case 'CreditsCharged':
      return book(rows, account, event, recorded);
    case 'CreditsHeld': {
      const { hold_id, amount, lapses_at, at } = event.data;
      const running = account.holds.filter((hold) => hold.lapses_at > at);
      return rows.creditAccounts.put({ ...account, holds: [...running, { hold_id, amount, lapses_at }] });
    }
    case 'HoldReleased':
      return rows.creditAccounts.put({ ...account, holds: withoutHold(account, event.data.hold_id) });
    case 'SpendingWindowSet': {
      const { limit, period_seconds } = event.data;
      return rows.creditAccounts.put({ ...account, window: { limit, period_seconds } });
    }
    case 'SpendingWindowCleared':
      return rows.creditAccounts.put({ ...account, window: null });
  }
};

const isCreditAccountEvent = isEventOf(creditAccountEvents);

/** Recognises the creation event of a session even if the session was erased. */
const isCreation = (event: DomainEvent): boolean =>
  (event.type === 'Withheld' ? typeName(event.data.stored) : event.type) === 'RealtimeSessionCreated';

/** The balance, spending window, holds and ledger of each account. */
export const credits: Projection = {
  name: 'credits',
  version: 3,
  categories: ['creditAccount', 'realtimeSession'],
  tables: ['creditAccounts', 'ledger', 'usage', 'sessionKeys'],
  project: (rows, { event, ...recorded }) => {
    if (isCreation(event)) {
      const session_id = streamId(recorded.stream);
      if (SessionId.is(session_id)) rows.sessionKeys.put({ session_id, key_id: recorded.metadata.actor.key_id });
      return;
    }
    const account_id = streamId(recorded.stream);
    if (!isCreditAccountEvent(event) || !AccountId.is(account_id)) return;
    const account = rows.creditAccounts.get(account_id) ?? unused(account_id);
    project(rows, { ...account, revision: recorded.revision }, event, recorded);
  },
};
