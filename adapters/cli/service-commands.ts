import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { MediaAnalysis, Permission, RevertedChange } from '../client/index.js';
import { labelled } from './terminal.js';
import { type Access, askService, shown, withAccess } from './ask-service.js';
import { withTimes } from './readable-error.js';
import type { CommandNeeds } from './surroundings.js';

interface Rights {
  readonly admin?: true;
  readonly permission?: ReadonlyArray<Permission>;
  readonly label?: string;
  readonly expiresIn?: number;
}

/** Calls the service and prints its answer. Rejects with the service's message if the status is not 200. */
const ask = async (
  needs: CommandNeeds,
  access: Access,
  question: (client: MediaAnalysis) => PromiseLike<unknown>,
): Promise<void> => needs.print(JSON.stringify(await askService(needs, access, question)));

const open = (needs: CommandNeeds): Command =>
  withAccess(new Command('open-account'))
    .description('open an account that keys can be issued for')
    .argument('<account>')
    .option('--name <text>', 'what people call it')
    .action((account_id: string, { name, ...access }: Access & { readonly name?: string }) =>
      ask(needs, access, ({ accounts }) => accounts.create({ account_id, name: name ?? null })),
    );

const rename = (needs: CommandNeeds): Command =>
  withAccess(new Command('rename-account'))
    .description('change what people call an account')
    .argument('<account>')
    .argument('<name>')
    .action((account: string, name: string, access: Access) =>
      ask(needs, access, ({ accounts }) => accounts.update(account, { name })),
    );

const accountList = (needs: CommandNeeds): Command =>
  withAccess(new Command('accounts'))
    .description('list the accounts by id')
    .action(async (access: Access) => {
      const answer = await askService(needs, access, async ({ accounts }) => ({
        accounts: await accounts.list().toArray(),
        next_cursor: null,
      }));
      shown(needs, access, answer, ({ accounts }) =>
        labelled(
          ['account', 'name', 'created'],
          accounts.map(({ account_id, name, created_at }) => [account_id, name ?? '-', created_at]),
        ),
      );
    });

/** Parses a number; which ones are possible the service says. */
const number = (text: string): number => {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number.');
};

const issue = (needs: CommandNeeds): Command =>
  withAccess(new Command('issue'))
    .description(
      'Issue a key; it is shown once. A key may do everything with the media of its own account: the key of a customer ' +
        'needs no permission.',
    )
    .argument('<account>')
    .option('--admin', 'may do everything, with all accounts')
    .addOption(
      new Option(
        '--permission <names...>',
        'for workers and staff: MEDIA_WRITE reads every transcript and names every speaker, WORKER reads and writes every ' +
          'analysis. Both reach the media of ALL accounts: never for a customer',
      ).choices(['MEDIA_WRITE', 'WORKER']),
    )
    .option('--label <text>', 'what it is for')
    .option('--expires-in <seconds>', 'lifetime in seconds, from 60 to 31622400', number)
    .action((account: string, { admin, permission, label, expiresIn, ...access }: Access & Rights) =>
      ask(needs, access, ({ keys }) =>
        keys.create(account, {
          admin: admin ?? false,
          permissions: permission ?? [],
          label: label ?? null,
          expires_in_seconds: expiresIn ?? null,
        }),
      ),
    );

const list = (needs: CommandNeeds): Command =>
  withAccess(new Command('list'))
    .description('list the keys of an account, without their secrets')
    .argument('<account>')
    .action(async (account: string, access: Access) => {
      const answer = await askService(needs, access, async ({ keys }) => ({
        keys: await keys.list(account).toArray(),
        next_cursor: null,
      }));
      shown(needs, access, answer, ({ keys }) =>
        labelled(
          ['key', 'label', 'may', 'created', 'expires', 'revoked'],
          keys.map(({ key_id, label, admin, permissions, created_at, expires_at, revoked_at }) => [
            key_id,
            label ?? '-',
            admin ? 'everything' : permissions.join(' ') || '-',
            created_at,
            expires_at ?? 'never',
            revoked_at ?? '-',
          ]),
        ),
      );
    });

const revoke = (needs: CommandNeeds): Command =>
  withAccess(new Command('revoke'))
    .description('revoke a key: it is refused from the next request on')
    .argument('<account>')
    .argument('<key-id>')
    .action((account: string, key_id: string, access: Access) =>
      ask(needs, access, ({ keys }) => keys.revoke(account, key_id)),
    );

/** `media-analysis keys`: accounts and API keys of a running service. */
export const keysCommand = (needs: CommandNeeds): Command =>
  new Command('keys')
    .description('accounts and API keys of a running service')
    .addCommand(open(needs))
    .addCommand(accountList(needs))
    .addCommand(rename(needs))
    .addCommand(issue(needs))
    .addCommand(list(needs))
    .addCommand(revoke(needs));

/** Credits of a grant (1) or a correction (-1), which the service takes alike. */
const amount =
  (sign: 1 | -1) =>
  (text: string): number => {
    const credits = number(text);
    if (credits * sign > 0) return credits;
    throw new InvalidArgumentError(`It must be a number of credits ${sign > 0 ? 'above' : 'below'} 0.`);
  };

const show = (needs: CommandNeeds): Command =>
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

const ledger = (needs: CommandNeeds): Command =>
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

const usage = (needs: CommandNeeds): Command =>
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

const book = (needs: CommandNeeds, name: 'grant' | 'correct'): Command =>
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

const window = (needs: CommandNeeds): Command =>
  withAccess(new Command('window'))
    .description('limit the credits that an account may spend in a period; without options, remove the limit')
    .argument('<account>')
    .option(
      '--limit <credits>',
      'the most that is spent in a period, calls in progress included; 0 admits nothing',
      number,
    )
    .option('--period <seconds>', 'how long a period is', number)
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
export const creditsCommand = (needs: CommandNeeds): Command =>
  new Command('credits')
    .description('balance, ledger, usage, grants and spending window of accounts of a running service')
    .addCommand(show(needs))
    .addCommand(ledger(needs))
    .addCommand(usage(needs))
    .addCommand(book(needs, 'grant'))
    .addCommand(book(needs, 'correct'))
    .addCommand(window(needs));

const linesOf = (what: string, list: RevertedChange['reverted']): ReadonlyArray<string> =>
  list.map(({ record, id, fields }) => `${what}\t${record} ${id}\t${fields.join(', ')}`);

const positionAsPrinted = (text: string): string => {
  const digits = /^#?(\d+)$/.exec(text)?.[1];
  if (digits !== undefined) return digits;
  throw new InvalidArgumentError('It must be a position, as in #123 or 0000000000000123.');
};

/**
 * `media-analysis undo`: reverts a change of a record of a running service through the revert endpoint; fails on a 409.
 */
export const undoCommand = (needs: CommandNeeds): Command =>
  withAccess(new Command('undo'))
    .description('undo a change of a video or an audio, on both records that it touched')
    .addArgument(new Argument('<record>', 'whose history it is').choices(['video', 'audio']))
    .argument('<id>', 'the id of the video or audio')
    .argument(
      '<position>',
      'the position of the change, from the history, audit log or X-Event-Position',
      positionAsPrinted,
    )
    .option('--dry-run', 'show what would be restored; write nothing')
    .action(async (record: string, id: string, position: string, options: Access & { readonly dryRun?: true }) => {
      const { dryRun: dry_run = false } = options;
      const answer = await askService(needs, options, ({ videos, audios }) =>
        (record === 'video' ? videos : audios).revert(id, position, { dry_run }),
      );
      shown(needs, options, answer, ({ reverted, changed_since }) => [
        ...linesOf(dry_run ? 'would be restored' : 'restored', reverted),
        ...linesOf('changed since, left as it is', changed_since),
      ]);
    });
