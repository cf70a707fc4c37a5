import { Command, InvalidArgumentError, Option } from 'commander';
import type { MediaAnalysis, Permission } from '../client/index.js';
import { labelled } from './columns.js';
import { type Access, askService, shown, withAccess } from './ask-service.js';

export interface KeysNeeds {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
}

interface Rights {
  readonly admin?: true;
  readonly permission?: ReadonlyArray<Permission>;
  readonly label?: string;
  readonly expiresIn?: number;
}

/** Calls the service and prints its answer. Rejects with the service's message if the status is not 200. */
const ask = async (
  needs: KeysNeeds,
  access: Access,
  question: (client: MediaAnalysis) => PromiseLike<unknown>,
): Promise<void> => needs.print(JSON.stringify(await askService(needs, access, question)));

const open = (needs: KeysNeeds): Command =>
  withAccess(new Command('open-account'))
    .description('open an account that keys can be issued for')
    .argument('<account>')
    .option('--name <text>', 'what people call it')
    .action((account_id: string, { name, ...access }: Access & { readonly name?: string }) =>
      ask(needs, access, ({ accounts }) => accounts.create({ account_id, name: name ?? null })),
    );

const rename = (needs: KeysNeeds): Command =>
  withAccess(new Command('rename-account'))
    .description('change what people call an account')
    .argument('<account>')
    .argument('<name>')
    .action((account: string, name: string, access: Access) =>
      ask(needs, access, ({ accounts }) => accounts.update(account, { name })),
    );

const accountList = (needs: KeysNeeds): Command =>
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

const wholeSeconds = (text: string): number => {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds >= 60 && seconds <= 31_622_400) return seconds;
  throw new InvalidArgumentError('It must be a whole number of seconds from 60 to 31622400.');
};

const issue = (needs: KeysNeeds): Command =>
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
    .option('--expires-in <seconds>', 'lifetime in seconds, from 60 to 31622400', wholeSeconds)
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

const list = (needs: KeysNeeds): Command =>
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

const revoke = (needs: KeysNeeds): Command =>
  withAccess(new Command('revoke'))
    .description('revoke a key: it is refused from the next request on')
    .argument('<account>')
    .argument('<key-id>')
    .action((account: string, key_id: string, access: Access) =>
      ask(needs, access, ({ keys }) => keys.revoke(account, key_id)),
    );

/** `media-analysis keys`: accounts and API keys of a running service. */
export const keysCommand = (needs: KeysNeeds): Command =>
  new Command('keys')
    .description('accounts and API keys of a running service')
    .addCommand(open(needs))
    .addCommand(accountList(needs))
    .addCommand(rename(needs))
    .addCommand(issue(needs))
    .addCommand(list(needs))
    .addCommand(revoke(needs));
