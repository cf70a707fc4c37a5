import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import { newId, idsOf } from '../../../application/commands/context.js';
import {
  type IssuedKey,
  issueKey,
  openAccount,
  readAccount,
  readCaller,
  renameAccount,
  revokeKey,
  setRetention,
  makeOwnKey,
  wasIssued,
} from '../../../application/use-cases/access/manage-access.js';
import { AccountId, KeyId } from '../../../domain/kernel/ids.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import * as access from '../codecs/access.js';
import { answering, ok, recordAnswer, withBody, withoutBody, withQuery } from '../declare-endpoint.js';
import { account, adminOnly, anyone } from '../finders.js';
import type { Answer, Endpoint, Call, Refusable } from '../endpoint.js';
import { page, wholePage, aboutText, parameter, readAll, times } from '../parameters.js';
import { pagedAnswer } from '../paged-answer.js';
import { bookCredits, readCredits, setSpendingWindow } from '../../../application/use-cases/credits/credits.js';
import { type LedgerEntry, type UsageField, sumUsage, usageFields } from '../../../projections/credit-views.js';

/** The answer with a new key, which is shown only once. */
const keyAnswer = (
  key: IssuedKey,
  account_id: AccountId,
  created_at: Timestamp,
): Answer<t.TypeOf<typeof access.NewKey>> => ({
  body: { ...key, account_id, created_at },
  secret_of: key.key_id,
});

/** Answers once the key is refused in all later requests, even if the read models do not include the revocation yet. */
const revoked = (
  { service, params: { key_id }, request }: Call,
  account_id: AccountId,
  ownOnly: boolean | null = false,
): TE.TaskEither<Refusable<'UnknownKey' | 'UnknownAccount'>, Answer<t.TypeOf<typeof access.RevokedKey>>> =>
  KeyId.is(key_id)
    ? pipe(
        revokeKey(service.app, request, account_id, key_id, ownOnly === true),
        TE.chainFirstIOK(() => () => service.keyRevoked(key_id)),
        TE.chainFirstW(() => TE.fromTask(service.upToDate())),
        TE.chainW((revoked_at) => ok({ key_id, revoked_at })),
      )
    : TE.left({ _tag: 'UnknownKey' });

const rightsIn = ({ label, admin, permissions }: t.TypeOf<typeof access.IssueKeyBody>) => ({
  label: label ?? null,
  admin: admin ?? false,
  permissions: [...new Set(permissions)],
});

const default_seconds = 3_600;

/** Finds the account that an administrator changes. */
const administered: ReturnType<typeof account> = {
  ...account('admin'),
  recordOf: (account_id, { app }) => app.accounts.load(account_id),
};

/** Finds the account whose credits an administrator changes. */
const creditAccount: typeof administered = {
  ...account('admin'),
  recordOf: (account_id, { app }) => app.creditAccounts.load(account_id),
};

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

export const accountEndpoints: ReadonlyArray<Endpoint> = [
  withBody(
    'accounts.create',
    'Create an account',
    'If no id is given, the service generates one.',
    adminOnly,
    { body: access.OpenAccountBody, answer: access.Account, refuses: ['AccountExists'] },
    ({ service: { app }, request }, _, { account_id: chosen, name }) => {
      const account_id = chosen ?? newId(idsOf(app.ids, request), AccountId);
      return answering(openAccount(app, request, account_id, name ?? null), () => ({
        account_id,
        name: name ?? null,
        created_at: request.at,
      }));
    },
  ),
  withQuery(
    'accounts.list',
    'List the accounts',
    'In the order of their ids.',
    adminOnly,
    { query: page, answer: access.AccountPage },
    (call, _, asked) => pagedAnswer(access.AccountPage, call, asked, call.service.queries.accounts, identity),
  ),
  withoutBody(
    'accounts.get',
    'Get an account',
    'The account with its name.',
    account('owner'),
    { answer: access.Account, headers: ['ETag'] },
    ({ service: { app } }, account_id) =>
      pipe(
        readAccount(app, account_id),
        TE.map(({ account: found, revision: current }) => recordAnswer(found, current)),
      ),
  ),
  withBody(
    'accounts.update',
    'Rename an account',
    'Null clears the name. An absent name changes nothing.',
    administered,
    { body: access.AccountDetailsBody, answer: access.Account, refuses: ['UnknownAccount'] },
    ({ service: { app }, request }, account_id, { name }) =>
      answering(renameAccount(app, request, account_id, name), identity),
  ),
  // Answers once the read models include the key. If they are behind, a request with the new key waits for them.
  withBody(
    'keys.create',
    'Create an API key',
    'The key is returned only in this answer. Repeating the request with the same idempotency key does not create a second key.',
    account('admin'),
    {
      body: access.IssueKeyBody,
      answer: access.NewKey,
      refuses: ['UnknownAccount'],
      made: ({ service, params }, id) => wasIssued(service.app, params['account_id'] ?? '', id),
    },
    ({ service, request }, account_id, asked) =>
      pipe(
        issueKey(service.app, request, account_id, {
          ...rightsIn(asked),
          expires_in_seconds: asked.expires_in_seconds ?? null,
        }),
        TE.chainFirstW(() => TE.fromTask(service.upToDate())),
        TE.map((key) => keyAnswer(key, account_id, request.at)),
      ),
  ),
  withQuery(
    'keys.list',
    'List the API keys of an account',
    'Includes revoked and expired keys, but no secrets.',
    account('admin'),
    { query: wholePage, answer: access.ApiKeyPage },
    (call, account_id, asked) =>
      pagedAnswer(
        access.ApiKeyPage,
        call,
        asked,
        (portion) => call.service.queries.keysOf(account_id, portion),
        identity,
      ),
  ),
  withoutBody(
    'keys.revoke',
    'Revoke an API key',
    'Takes effect with the next request. Also revokes all keys created with this key, and ends the realtime sessions it created.',
    account('admin'),
    { answer: access.RevokedKey, refuses: ['UnknownKey'] },
    revoked,
  ),
  withBody(
    'retention.set',
    'Set the retention period',
    'Media of the account without a new event for `days` days are erased. `null`: never.',
    administered,
    { body: access.RetentionBody, answer: access.Retention, refuses: ['UnknownAccount'] },
    ({ service: { app }, request }, account_id, { days }) =>
      answering(setRetention(app, request, account_id, days), () => ({ days })),
  ),
  withoutBody(
    'retention.get',
    'Get the retention period',
    '`null` if none is set.',
    account('owner'),
    { answer: access.Retention },
    ({ service: { app } }, account_id) =>
      answering(app.accounts.load(account_id), ({ state }) => ({
        days: state._tag === 'Open' ? state.retention_days : null,
      })),
  ),

  withoutBody(
    'me.get',
    'Get the calling key and account',
    'The calling key, its permissions and the account balance.',
    anyone,
    { answer: access.Me },
    ({ service: { app, queries }, request: { caller } }) => answering(readCaller(app, queries, caller), identity),
  ),
  withBody(
    'me.createKey',
    'Create a short-lived key for the same account',
    'The new key has no permission that the calling key lacks, expires no later, and is revoked with it. Intended for web pages: with `replace`, a page that was closed leaves no key behind.',
    anyone,
    {
      body: access.MakeKeyBody,
      answer: access.NewKey,
      refuses: ['NotAuthorised', 'IssuerRevoked', 'TooManyKeys', 'UnknownAccount'],
      made: ({ service, request }, id) => wasIssued(service.app, request.caller.account_id, id),
    },
    ({ service, request }, _, asked) =>
      pipe(
        makeOwnKey(service.app, request, {
          ...rightsIn(asked),
          replace: asked.replace ?? false,
          expires_in_seconds: asked.expires_in_seconds ?? default_seconds,
        }),
        TE.chainFirstIOK(
          ({ replaced }) =>
            () =>
              replaced.forEach(service.keyRevoked),
        ),
        TE.chainFirstW(() => TE.fromTask(service.upToDate())),
        TE.map(({ replaced: _revoked, ...key }) => keyAnswer(key, request.caller.account_id, request.at)),
      ),
  ),
  withoutBody(
    'me.revokeKey',
    'Revoke a key created with another key',
    'Works only for keys created with `me.createKey`. Such a key can revoke itself.',
    anyone,
    { answer: access.RevokedKey, refuses: ['UnknownKey', 'UnknownAccount'] },
    (call) => revoked(call, call.request.caller.account_id, true),
  ),

  withBody(
    'credits.grant',
    'Grant or correct credits',
    'Positive: a grant; negative: a correction. Returns the balance.',
    creditAccount,
    { body: access.BookCreditsBody, answer: access.Balance, refuses: ['InvalidAmount', 'BalanceOutOfRange'] },
    ({ service: { app }, request }, account_id, { amount, reason }) =>
      answering(bookCredits(app, request, account_id, amount, reason), (balance) => ({ balance })),
  ),
  withBody(
    'credits.setWindow',
    'Set or clear the spending window',
    '`limit: null` clears it.',
    creditAccount,
    { body: access.SpendingWindowBody, answer: access.SpendingWindow, refuses: ['InvalidAmount'] },
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
    account('owner'),
    { answer: access.AccountCredits, headers: ['ETag'] },
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
    account('owner'),
    { query: readAll({ times, page }), answer: access.Ledger },
    (call, account_id, asked) =>
      pagedAnswer(
        access.Ledger,
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
    account('owner'),
    { query: readAll({ times, group_by }), answer: access.Usage },
    ({ service }, account_id, asked) =>
      pipe(
        service.queries.usage(account_id, asked.times),
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
