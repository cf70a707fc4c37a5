import { creditAccountEvents, type CreditAccountEvent } from '../domain/credit-account/contract.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import { type CreditsText, add, creditsOf, creditsText, negate, zeroCredits } from '../domain/kernel/credits.js';
import { type RecordedEvent, isEventOf, streamId } from '../domain/kernel/recorded-event.js';
import { AccountId, SessionId } from '../domain/kernel/ids.js';
import type { LedgerEntry } from './credit-views.js';
import { typeName } from './event-selection.js';
import { type Projection, type Rows, tables } from './tables.js';

type Booking = Extract<CreditAccountEvent, { type: 'CreditsGranted' | 'CreditsCorrected' | 'CreditsCharged' }>;
type Recorded = Omit<RecordedEvent<DomainEvent>, 'event'>;

const nothing = creditsText(zeroCredits);
/** `2026-01-31T23`. */
const hourLength = 13;

const sum = (one: CreditsText, other: CreditsText): CreditsText => creditsText(add(creditsOf(one), creditsOf(other)));

const kinds = { CreditsGranted: 'grant', CreditsCorrected: 'correction', CreditsCharged: 'charge' } as const;
const categories = { ...kinds, CreditsCharged: 'name_inference', Session: 'realtime' } as const;

const addUsage = (rows: Rows, { account_id, at, category, key_id, amount }: LedgerEntry): void => {
  const of = { account_id, hour: at.slice(0, hourLength), category, key_id };
  const known = rows.usage.get(tables.usage.key({ ...of, charges: 0, amount: nothing }));
  const charged = creditsText(negate(creditsOf(amount)));
  rows.usage.put({ ...of, charges: (known?.charges ?? 0) + 1, amount: sum(known?.amount ?? nothing, charged) });
};

const book = (rows: Rows, account_id: AccountId, event: Booking, { event_id, metadata }: Recorded): void => {
  const { amount, balance_after, reason, at } = event.data;
  const charge = event.type === 'CreditsCharged' ? event.data : null;
  const session_id = charge?.session_id ?? null;
  const entry: LedgerEntry = {
    entry_id: event_id,
    account_id,
    at,
    kind: kinds[event.type],
    category: categories[session_id === null ? event.type : 'Session'],
    // A session is charged to the key that created it, no matter which key ended it.
    key_id: rows.sessionKeys.get(session_id ?? '')?.key_id ?? metadata.actor.key_id,
    amount: charge === null ? amount : creditsText(negate(creditsOf(amount))),
    balance_after,
    reason,
    run_id: charge?.run_id ?? null,
    session_id,
    audio_id: charge?.audio_id ?? null,
    request_id: metadata.correlation_id,
  };
  rows.ledger.put(entry);
  if (charge !== null) addUsage(rows, entry);
};

const { CreditsGranted, CreditsCorrected, CreditsCharged } = creditAccountEvents;
const isBooking = isEventOf({ CreditsGranted, CreditsCorrected, CreditsCharged });

/** Recognises the creation event of a session even if the session was erased. */
const isCreation = (event: DomainEvent): boolean =>
  (event.type === 'Withheld' ? typeName(event.data.stored) : event.type) === 'RealtimeSessionCreated';

/** The ledger of each account. Balance, window and holds are read from the account's aggregate. */
export const credits: Projection = {
  name: 'credits',
  version: 4,
  categories: ['creditAccount', 'realtimeSession'],
  tables: ['ledger', 'usage', 'sessionKeys'],
  project: (rows, { event, ...recorded }) => {
    const id = streamId(recorded.stream);
    if (isBooking(event) && AccountId.is(id)) book(rows, id, event, recorded);
    else if (isCreation(event) && SessionId.is(id))
      rows.sessionKeys.put({ session_id: id, key_id: recorded.metadata.actor.key_id });
  },
};
