import { Command, InvalidArgumentError } from 'commander';
import type { MediaAnalysis } from '../client/index.js';
import { labelled } from './columns.js';
import { type Access, type AskNeeds, askService, shown, withAccess } from './ask-service.js';
import { withTimes } from './written-time.js';

const decimal = /^-?\d{1,9}(?:\.\d{1,6})?$/;

const range = 'with at most 6 decimal places, and below 1,000,000,000';

/** Credits as people write them, positive or negative. */
const amount =
  (sign: 1 | -1) =>
  (text: string): number => {
    const credits = decimal.test(text) ? Number(text) : 0;
    if (credits * sign > 0) return credits;
    throw new InvalidArgumentError(
      sign > 0
        ? `It must be a number of credits above 0 ${range}.`
        : 'It must be a number of credits below 0 with at most 6 decimal places, and above -1,000,000,000.',
    );
  };

/** A limit: credits, or 0. */
const limitOf = (text: string): number => {
  if (decimal.test(text) && Number(text) >= 0) return Number(text);
  throw new InvalidArgumentError(`It must be a number of credits of 0 or more ${range}.`);
};

const wholeSeconds = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds, 1 or more.');
};

const show = (needs: AskNeeds): Command =>
  withAccess(new Command('show'))
    .description('the balance and the spending window of an account')
    .argument('<account>')
    .action(async (account: string, access: Access) => {
      const answer = await askService(needs, access, ({ credits }) => credits.get(account));
      shown(needs, access, answer, ({ account_id, balance, held, window }) => [
        `${account_id}: ${balance} credits${held === 0 ? '' : `, ${held} of them held by calls under way`}`,
        window === null
          ? 'no spending window'
          : `spending window: ${window.spent} of ${window.limit} credits spent in the last ${window.period_seconds} s`,
      ]);
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

const ledger = (needs: AskNeeds): Command =>
  withTimes(withAccess(new Command('ledger')), 'entries')
    .description('a page of the ledger of an account, newest first')
    .argument('<account>')
    .option('--limit <number>', 'entries a page, 1 to 1000', '100')
    .option('--cursor <text>', 'the cursor that the previous page printed')
    .action(async (account: string, { from, to, limit, cursor, ...access }: Access & Range) => {
      const page = await askService(needs, access, async ({ credits }) => {
        const query = { from, to, limit: Number(limit), cursor };
        for await (const { items: entries, next_cursor } of credits.ledger(account, query).pages())
          return { entries, next_cursor };
        return { entries: [], next_cursor: null };
      });
      shown(needs, access, page, ({ entries, next_cursor }) => [
        ...labelled(
          ['time', 'kind', 'amount', 'balance', 'reason', 'run or session', 'request'],
          entries.map(({ at, kind, amount: booked, balance_after, reason, run_id, session_id, request_id }) =>
            [at, kind, booked, balance_after, reason, run_id ?? session_id ?? '-', request_id].map(String),
          ),
        ),
        ...(next_cursor === null ? [] : [`more: --cursor ${next_cursor}`]),
      ]);
    });

type Usage = Awaited<ReturnType<MediaAnalysis['credits']['usage']>>;

/** Groups of usage, with the columns that they are grouped by. */
const usageTable = (groups: Usage['groups']): ReadonlyArray<string> => {
  const columns = (['month', 'day', 'category', 'key_id'] as const).filter((name) => groups[0]?.[name] !== undefined);
  return labelled(
    [...columns.map((name) => (name === 'key_id' ? 'key' : name)), 'charges', 'amount'],
    groups.map((group) => [...columns.map((name) => group[name] ?? ''), String(group.charges), String(group.amount)]),
  );
};

const usage = (needs: AskNeeds): Command =>
  withTimes(withAccess(new Command('usage')), 'charges')
    .description('the exact total charged to an account in a time range')
    .argument('<account>')
    .option('--group-by <fields>', 'one or several of day, month, category, key, with commas')
    .action(async (account: string, options: Access & UsageOptions) => {
      const { from, to, groupBy: group_by } = options;
      const answer = await askService(needs, options, ({ credits }) => credits.usage(account, { from, to, group_by }));
      shown(needs, options, answer, ({ groups, total }) => [
        ...usageTable(groups),
        `${account}: ${total.amount} credits in ${total.charges} charges`,
      ]);
    });

const book = (needs: AskNeeds, name: 'grant' | 'correct'): Command =>
  withAccess(new Command(name))
    .description(
      name === 'grant'
        ? 'give an account credits'
        : 'correct the balance of an account by a negative amount, as in -2.5',
    )
    .argument('<account>')
    .argument('<amount>', `credits, ${name === 'grant' ? 'above' : 'below'} 0`, amount(name === 'grant' ? 1 : -1))
    .requiredOption('--reason <text>', 'what the ledger says of it')
    .action(async (account: string, credits: number, { reason, ...access }: Access & { readonly reason: string }) => {
      const booked = await askService(needs, access, (client) =>
        client.credits.grant(account, { amount: credits, reason }),
      );
      shown(needs, access, booked, ({ balance }) => [`${account}: ${balance} credits`]);
    });

const window = (needs: AskNeeds): Command =>
  withAccess(new Command('window'))
    .description('limit the credits that an account may spend in a period; without options, remove the limit')
    .argument('<account>')
    .option(
      '--limit <credits>',
      'the most that is spent in a period, calls in progress included; 0 admits nothing',
      limitOf,
    )
    .option('--period <seconds>', 'how long a period is', wholeSeconds)
    .action(
      async (
        account: string,
        options: Access & { readonly limit?: number; readonly period?: number },
        self: Command,
      ) => {
        const { limit, period, ...access } = options;
        if ((limit === undefined) !== (period === undefined)) self.error('error: --limit and --period go together');
        const body = limit === undefined || period === undefined ? { limit: null } : { limit, period_seconds: period };
        const set = await askService(needs, access, ({ credits }) => credits.setWindow(account, body));
        shown(needs, access, set, (now) => [
          now.limit === null
            ? `${account}: no spending window`
            : `${account}: at most ${now.limit} credits in ${now.period_seconds} s`,
        ]);
      },
    );

/** `media-analysis credits`: balances, spending and spending limits of accounts of a running service. */
export const creditsCommand = (needs: AskNeeds): Command =>
  new Command('credits')
    .description('balance, ledger, usage, grants and spending window of accounts of a running service')
    .addCommand(show(needs))
    .addCommand(ledger(needs))
    .addCommand(usage(needs))
    .addCommand(book(needs, 'grant'))
    .addCommand(book(needs, 'correct'))
    .addCommand(window(needs));
