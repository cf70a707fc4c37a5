import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { bookCredits, setSpendingWindow } from '../../../application/use-cases/manage-credits.js';
import { type CreditsText, creditsNumber, creditsOf } from '../../../domain/kernel/credits.js';
import type { CreditAccountView, LedgerEntry } from '../../../projections/credit-views.js';
import type { PageRequest, TimeRange } from '../../../projections/queries.js';
import { type UsageField, type UsageSum, sumUsage, usageFields } from '../../../projections/usage.js';
import { BookCreditsBody, SpendingWindowBody } from '../codecs/credits.js';
import { type Call, type Endpoint, ok, withBody, withoutBody } from '../endpoint.js';
import { type BadQuery, groupBy, pageRequest, timeRange } from '../query.js';
import type { Refusal } from '../refusal.js';
import { type Service, account, asked } from '../service.js';

const numberOf = (text: CreditsText): number => creditsNumber(creditsOf(text));

const book = (service: Service): Endpoint =>
  withBody('credits.add', BookCreditsBody, account(service, 'admin'), ({ request }, account_id, { amount, reason }) =>
    pipe(
      bookCredits(service.app, request, account_id, amount, reason),
      TE.chainW((balance) => ok({ balance: creditsNumber(balance) })),
    ),
  );

const setWindow = (service: Service): Endpoint =>
  withBody('credits.setWindow', SpendingWindowBody, account(service, 'admin'), ({ request }, account_id, window) =>
    pipe(
      setSpendingWindow(service.app, request, account_id, window),
      TE.chainW(() =>
        ok({
          limit: window === null ? null : creditsNumber(window.limit),
          period_seconds: window?.period_seconds ?? null,
        }),
      ),
    ),
  );

const shownWindow = (window: CreditAccountView['window']) =>
  window && {
    limit: numberOf(window.limit),
    period_seconds: window.period_seconds,
    spent: numberOf(window.spent),
  };

/** An account on which nothing was booked has no record yet, hence no ETag. */
const show = (service: Service): Endpoint =>
  withoutBody('credits.get', account(service, 'owner'), ({ request }, account_id) =>
    pipe(
      asked(service, () => service.queries.creditAccount(account_id, request.at)),
      TE.map((found) =>
        found === null
          ? { body: { account_id, balance: 0, held: 0, window: null } }
          : {
              body: {
                account_id,
                balance: numberOf(found.balance),
                held: creditsNumber(found.held),
                window: shownWindow(found.window),
              },
              headers: { ETag: `"${found.revision}"` },
            },
      ),
    ),
  );

const shownEntry = ({ entry_id, at, kind, category, reason, request_id, ...entry }: LedgerEntry) => ({
  entry_id,
  at,
  kind,
  category,
  amount: numberOf(entry.amount),
  balance_after: numberOf(entry.balance_after),
  reason,
  ...(entry.run_id === null ? {} : { run_id: entry.run_id }),
  ...(entry.session_id === null ? {} : { session_id: entry.session_id }),
  ...(entry.audio_id === null ? {} : { audio_id: entry.audio_id }),
  request_id,
});

const wanted = ({ query }: Call): E.Either<BadQuery, { readonly range: TimeRange; readonly page: PageRequest }> =>
  pipe(
    E.Do,
    E.bind('range', () => timeRange(query)),
    E.bind('page', () => pageRequest(query)),
  );

/** The entries of a time, `from` included and `to` not, newest first. */
const showLedger = (service: Service): Endpoint =>
  withoutBody(
    'credits.ledger',
    account(service, 'owner'),
    (call, account_id) =>
      pipe(
        TE.fromEither(wanted(call)),
        TE.chainW(({ range, page }) => asked(service, () => service.queries.ledger(account_id, range, page))),
        TE.chain(({ items, next_cursor }) =>
          ok({ entries: items.map(shownEntry), next_cursor: call.seal(next_cursor) }),
        ),
      ),
    ['from', 'to', 'limit', 'cursor'],
  );

const mostGroups = 10_000;

const shownSum = ({ amount, ...group }: UsageSum) => ({ ...group, amount: creditsNumber(amount) });

/** Charges alone, summed up exactly; `from` included and `to` not. */
const showUsage = (service: Service): Endpoint =>
  withoutBody(
    'credits.usage',
    account(service, 'owner'),
    ({ query }, account_id) =>
      pipe(
        TE.Do,
        TE.bind('range', () => TE.fromEither<Refusal, TimeRange>(timeRange(query))),
        TE.bind('by', () => TE.fromEither<Refusal, ReadonlySet<UsageField>>(groupBy(query, usageFields))),
        TE.bind('parts', ({ range }) => asked(service, () => service.queries.usage(account_id, range))),
        TE.chain(({ range, by, parts }) => {
          const { groups, total } = sumUsage(parts, by);
          return groups.length > mostGroups
            ? TE.left<Refusal>({
                _tag: 'BadQuery',
                parameter: 'group_by',
                message: `gives more than ${mostGroups} groups: ask for a shorter time, or for fewer fields`,
              })
            : ok({ ...range, groups: groups.map(shownSum), total: shownSum(total) });
        }),
      ),
    ['from', 'to', 'group_by'],
  );

export const creditEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  book(service),
  setWindow(service),
  show(service),
  showLedger(service),
  showUsage(service),
];
