import { Command } from 'commander';

export interface VaultNeeds {
  /** Wraps all keys again. Returns their number, or rejects with the reason for a failure. */
  readonly rotate: () => Promise<number>;
  readonly print: (line: string) => void;
}

const rotate = ({ rotate: run, print }: VaultNeeds): Command =>
  new Command('rotate')
    .description('wrap the keys of personal data with another secret, so that old backups of the keys are useless')
    .addHelpText(
      'after',
      '\nRefused while a service runs on the data folder. The new secret is KEY_VAULT_NEW_SECRET, or else a new one in keys.secret.',
    )
    .action(async () => print(`${await run()} keys are wrapped with the new secret.`));

/** `media-analysis vault`: the keys that seal personal data. */
export const vaultCommand = (needs: VaultNeeds): Command =>
  new Command('vault').description('the keys by which personal data is sealed').addCommand(rotate(needs));
