import { Command } from 'commander';

export interface VaultNeeds {
  /** Serves the keys over HTTP; rejects with the reason if it cannot. */
  readonly start: () => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
  /** Wraps all keys again. Returns their number, or rejects with the reason for a failure. */
  readonly rotate: () => Promise<number>;
  readonly print: (line: string) => void;
  /** Calls back once when the process should end. */
  readonly onEnd: (end: () => void) => void;
  readonly exit: (code: number) => void;
}

const serve = ({ start, print, onEnd, exit }: VaultNeeds): Command =>
  new Command('serve')
    .description('serve the keys in DATA_DIR over HTTP to the instances of the service, in the foreground')
    .addHelpText(
      'after',
      '\nIt listens on HOST and PORT, and requires KEY_VAULT_TOKEN of every request. The instances use it as KEY_VAULT_URL.',
    )
    .action(async () => {
      const starting = start();
      onEnd(() => {
        void starting.then(async (vault) => {
          await vault.stop();
          exit(0);
        });
      });
      print(`Serving the key vault on ${(await starting).url}`);
    });

const rotate = ({ rotate: run, print }: VaultNeeds): Command =>
  new Command('rotate')
    .description('wrap the keys of personal data with another secret, so that old backups of the keys are useless')
    .addHelpText(
      'after',
      '\nRefused while a service or a vault runs on the data folder. The new secret is KEY_VAULT_NEW_SECRET, or else a new one in keys.secret.',
    )
    .action(async () => print(`${await run()} keys are wrapped with the new secret.`));

/** `media-analysis vault`: the keys that seal personal data. */
export const vaultCommand = (needs: VaultNeeds): Command =>
  new Command('vault')
    .description('the keys by which personal data is sealed')
    .addCommand(serve(needs))
    .addCommand(rotate(needs));
