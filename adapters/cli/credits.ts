import { Command, InvalidArgumentError } from 'commander';
import * as t from 'io-ts';
import { type Access, type AskNeeds, askService, withAccess } from './ask-service.js';

const nullable = <Codec extends t.Mixed>(codec: Codec) => t.union([codec, t.null]);

const Window = t.type({ limit: nullable(t.number), period_seconds: nullable(t.number) });
const Credits = t.type({
  account_id: t.string,
  balance: t.number,
  held: t.number,
  window: nullable(t.type({ limit: t.number, period_seconds: t.number, spent: t.number })),
});
const Entry = t.intersection([
  t.type({
    at: t.string,
    kind: t.string,
    amount: t.number,
    balance_after: t.number,
    reason: t.string,
    request_id: t.string,
  }),
  t.partial({ run_id: t.string, session_id: t.string }),
]);
const Ledger = t.type({ entries: t.array(Entry), next_cursor: nullable(t.string) });

const pathOf = (account: string, what: string): string => `/v1/accounts/${encodeURIComponent(account)}/${what}`;

const decimal = /^-?\d{1,9}(?:\.\d{1,6})?$/;

/** Credits as a person writes them, above zero or below it. */
const amount =
  (sign: 1 | -1) =>
  (text: string): number => {
    const credits = decimal.test(text) ? Number(text) : 0;
    if (credits * sign > 0) return credits;
    throw new InvalidArgumentError(
      `It must be a number of credits ${sign > 0 ? 'above' : 'below'} 0 with at most 6 decimal places.`,
    );
  };

const wholeSeconds = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds, 1 or more.');
};

const show = (needs: AskNeeds): Command =>
  withAccess(new Command('show'), needs)
    .description('the balance and the spending window of an account')
    .argument('<account>')
    .action(async (account: string, access: Access) => {
      const { answer, text } = await askService(needs, access, Credits, ['GET', pathOf(account, 'credits')]);
      if (access.json === true) return needs.print(text);
      const { balance, held, window } = answer;
      const holds = held === 0 ? '' : `, ${held} of them held by calls under way`;
      needs.print(`${answer.account_id}: ${balance} credits${holds}`);
      return needs.print(
        window === null
          ? 'no spending window'
          : `spending window: ${window.spent} of ${window.limit} credits spent in the last ${window.period_seconds} s`,
      );
    });

interface Range {
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
  readonly cursor?: string;
}

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
  readonly groupBy?: string;
}

const queryOf = (parameters: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');

const ledger = (needs: AskNeeds): Command =>
  withAccess(new Command('ledger'), needs)
    .description('a page of the ledger of an account, newest first')
    .argument('<account>')
    .option('--from <time>', 'entries from this time on (RFC 3339)')
    .option('--to <time>', 'entries before this time (RFC 3339)')
    .option('--limit <number>', 'entries a page, 1 to 1000', '100')
    .option('--cursor <text>', 'the cursor that the previous page printed')
    .action(async (account: string, { from, to, limit, cursor, ...access }: Access & Range) => {
      const path = pathOf(account, `ledger?${queryOf({ from, to, limit, cursor })}`);
      const { answer, text } = await askService(needs, access, Ledger, ['GET', path]);
      if (access.json === true) return needs.print(text);
      for (const { at, kind, amount: booked, balance_after, reason, run_id, session_id, request_id } of answer.entries)
        needs.print([at, kind, booked, balance_after, reason, run_id ?? session_id ?? '-', request_id].join('\t'));
      return answer.next_cursor === null ? undefined : needs.print(`more: --cursor ${answer.next_cursor}`);
    });

const Usage = t.type({
  groups: t.array(
    t.intersection([
      t.type({ charges: t.number, amount: t.number }),
      t.partial({ day: t.string, month: t.string, category: t.string, key_id: t.string }),
    ]),
  ),
  total: t.type({ charges: t.number, amount: t.number }),
});

const usage = (needs: AskNeeds): Command =>
  withAccess(new Command('usage'), needs)
    .description('the exact total charged to an account in a time range')
    .argument('<account>')
    .option('--from <time>', 'charges from this time on (RFC 3339)')
    .option('--to <time>', 'charges before this time (RFC 3339)')
    .option('--group-by <fields>', 'one or several of day, month, category, key, with commas')
    .action(async (account: string, options: Access & UsageOptions) => {
      const { from, to, groupBy, ...access } = options;
      const path = pathOf(account, `usage?${queryOf({ from, to, group_by: groupBy })}`);
      const { answer, text } = await askService(needs, access, Usage, ['GET', path]);
      if (access.json === true) return needs.print(text);
      for (const { day, month, category, key_id, charges, amount: charged } of answer.groups)
        needs.print([day, month, category, key_id, charges, charged].filter((one) => one !== undefined).join('\t'));
      return needs.print(`${account}: ${answer.total.amount} credits in ${answer.total.charges} charges`);
    });

const book = (needs: AskNeeds, name: 'grant' | 'correct'): Command =>
  withAccess(new Command(name), needs)
    .description(name === 'grant' ? 'give an account credits' : 'take credits from an account')
    .argument('<account>')
    .argument('<amount>', `credits, ${name === 'grant' ? 'above' : 'below'} 0`, amount(name === 'grant' ? 1 : -1))
    .requiredOption('--reason <text>', 'what the ledger says of it')
    .action(async (account: string, credits: number, { reason, ...access }: Access & { readonly reason: string }) => {
      const booked = await askService(needs, access, t.type({ balance: t.number }), [
        'POST',
        pathOf(account, 'credits'),
        { amount: credits, reason },
      ]);
      needs.print(access.json === true ? booked.text : `${account}: ${booked.answer.balance} credits`);
    });

const window = (needs: AskNeeds): Command =>
  withAccess(new Command('window'), needs)
    .description('limit the credits that an account may spend in a period; without options, remove the limit')
    .argument('<account>')
    .option('--limit <credits>', 'the most that is spent in a period', amount(1))
    .option('--period <seconds>', 'how long a period is', wholeSeconds)
    .action(
      async (
        account: string,
        options: Access & { readonly limit?: number; readonly period?: number },
        self: Command,
      ) => {
        const { limit, period, ...access } = options;
        if ((limit === undefined) !== (period === undefined)) self.error('error: --limit and --period go together');
        const body = limit === undefined ? { limit: null } : { limit, period_seconds: period };
        const set = await askService(needs, access, Window, ['PUT', pathOf(account, 'spending-window'), body]);
        if (access.json === true) return needs.print(set.text);
        const { answer } = set;
        return needs.print(
          answer.limit === null
            ? `${account}: no spending window`
            : `${account}: at most ${answer.limit} credits in ${answer.period_seconds} s`,
        );
      },
    );

/** `media-analysis credits`: what accounts of a running service have, spent, and may spend. */
export const creditsCommand = (needs: AskNeeds): Command =>
  new Command('credits')
    .description('balance, ledger, usage, grants and spending window of accounts of a running service')
    .addCommand(show(needs))
    .addCommand(ledger(needs))
    .addCommand(usage(needs))
    .addCommand(book(needs, 'grant'))
    .addCommand(book(needs, 'correct'))
    .addCommand(window(needs));
