import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { bookCredits, readCredits, setSpendingWindow } from '../../../application/use-cases/credits/credits.js';
import { type LedgerEntry, type UsageField, sumUsage, usageFields } from '../../../projections/credit-views.js';
import {
  AccountCredits,
  Balance,
  BookCreditsBody,
  Ledger,
  SpendingWindow,
  SpendingWindowBody,
  Usage,
} from '../codecs/access.js';
import { answering, ok, recordAnswer, withBody, withoutBody, withQuery } from '../declare-endpoint.js';
import { type Endpoint, account, queryUpToDate, revision, writingTo } from '../endpoint.js';
import { aboutText, page, parameter, readAll, times } from '../parameters.js';
import { listed } from './records.js';

/** Finds the account whose credits an administrator changes. */
const creditAccount = writingTo(account('admin'), (account_id, { app }) => revision(app.creditAccounts, account_id));

const shownEntry = ({ run_id, session_id, audio_id, ...entry }: LedgerEntry) => ({
  ...entry,
  ...(run_id === null ? {} : { run_id }),
  ...(session_id === null ? {} : { session_id }),
  ...(audio_id === null ? {} : { audio_id }),
});

const fields = `one or more of ${usageFields.join(', ')}, separated by commas`;

const group_by = parameter(
  aboutText('group_by', `O${fields.slice(1)}. If absent, there are no groups.`),
  (given): ReadonlySet<UsageField> | undefined => {
    const named = given.split(',');
    const known = named.flatMap((name) => usageFields.find((field) => field === name) ?? []);
    return known.length === named.length ? new Set(known) : undefined;
  },
  `be ${fields}`,
);

const maxGroups = 10_000;

export const creditEndpoints: ReadonlyArray<Endpoint> = [
  withBody(
    'credits.grant',
    'Grant or correct credits',
    'Positive: a grant; negative: a correction. Returns the balance.',
    { answer: Balance, refuses: ['InvalidAmount', 'BalanceOutOfRange'] },
    BookCreditsBody,
    creditAccount,
    ({ service: { app }, request }, account_id, { amount, reason }) =>
      answering(bookCredits(app, request, account_id, amount, reason), (balance) => ({ balance })),
  ),
  withBody(
    'credits.setWindow',
    'Set or clear the spending window',
    '`limit: null` clears it.',
    { answer: SpendingWindow, refuses: ['InvalidAmount'] },
    SpendingWindowBody,
    creditAccount,
    ({ service: { app }, request }, account_id, window) =>
      answering(setSpendingWindow(app, request, account_id, window), () => ({
        limit: window?.limit ?? null,
        period_seconds: window?.period_seconds ?? null,
      })),
  ),
  // An account without ledger entries has no record yet, hence no ETag.
  withoutBody(
    'credits.get',
    'Get the balance and the spending window',
    '`held` is reserved for calls that are in progress and is not available to other calls.',
    { answer: AccountCredits, headers: ['ETag'] },
    account('owner'),
    ({ service: { app }, request }, account_id) =>
      pipe(
        readCredits(app, account_id, request.at),
        TE.map(({ revision: current, ...found }) => recordAnswer({ account_id, ...found }, current)),
      ),
  ),
  withQuery(
    'credits.ledger',
    'List ledger entries',
    'Newest first. The amounts of all entries add up to the balance.',
    { answer: Ledger },
    readAll({ times, page }),
    account('owner'),
    (call, account_id, asked) =>
      listed(
        Ledger,
        call,
        asked.page,
        (portion) => call.service.queries.ledger(account_id, asked.times, portion),
        shownEntry,
      ),
  ),
  withQuery(
    'credits.usage',
    'Sum up charges',
    'Exact sums of charges, grouped by the fields in `group_by`, or in total if it is absent.',
    { answer: Usage },
    readAll({ times, group_by }),
    account('owner'),
    ({ service }, account_id, asked) =>
      pipe(
        queryUpToDate(service, () => service.queries.usage(account_id, asked.times)),
        TE.chainW((parts) => {
          const { groups, total } = sumUsage(parts, asked.group_by ?? new Set());
          return groups.length > maxGroups
            ? TE.left({
                _tag: 'BadQuery' as const,
                parameter: 'group_by',
                message: `gives more than ${maxGroups} groups: use a shorter time range or fewer fields`,
              })
            : ok({ ...asked.times, groups, total });
        }),
      ),
  ),
];
