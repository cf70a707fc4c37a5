import { Command } from 'commander';
import { startLogCheck } from './data-checks.js';
import { type Config, defaults } from '../config/config.js';
import { dataFolderFault, hostFault, tlsFileFaults } from '../config/tls-files.js';
import { limitHeapGrowth } from '../runtime/memory.js';
import type { CommandNeeds } from '../cli/surroundings.js';
import { configured, WrongConfiguration } from './command-configuration.js';

type Environment = CommandNeeds['env'];

/** The configuration of a service. The address to listen on and the data folder are checked too. */
const configuredToServe = async (
  env: Environment,
  otherFaults: (env: Environment) => ReadonlyArray<string>,
): Promise<Config> => {
  const faults = [await hostFault(env['HOST'] || defaults.host), dataFolderFault(env['DATA_DIR'] || defaults.data_dir)];
  return configured(env, [...faults.filter((fault) => fault !== null), ...otherFaults(env)]);
};

/** Runs a server in the foreground until the process should end. */
const untilEnd = async <Server extends { readonly stop: () => Promise<void> }>(
  { onEnd, exit }: CommandNeeds,
  starting: Promise<Server>,
  onStop: () => void = () => undefined,
): Promise<Server> => {
  onEnd(() => {
    onStop();
    void starting.then(async (server) => {
      await server.stop();
      exit(0);
    });
  });
  return starting;
};

/** Loads the service while its log is being checked already. */
const startService = async (env: Environment) => {
  const config = await configuredToServe(env, tlsFileFaults);
  limitHeapGrowth();
  const check = startLogCheck(config);
  return (await import('./service.js')).startService(config, { check });
};

interface Options {
  readonly eventstorePort?: string;
  readonly acceptLog?: true;
}

/** `media-analysis serve`: the service in the foreground, until SIGTERM or SIGINT. */
export const serveCommand = (needs: CommandNeeds): Command =>
  new Command('serve')
    .description('run the service in the foreground; it is configured by environment variables (see the README)')
    .option('--eventstore-port <port>', 'offer the log to clients of EventStoreDB on this port')
    .option('--accept-log', 'accept an older or different event log, and rebuild the read models from it')
    .action(async ({ eventstorePort, acceptLog }: Options) => {
      const { env, print } = needs;
      const EVENTSTORE_PORT = eventstorePort ?? env['EVENTSTORE_PORT'];
      const ACCEPT_LOG = acceptLog === true ? 'true' : env['ACCEPT_LOG'];
      const starting = startService({ ...env, EVENTSTORE_PORT, ACCEPT_LOG });
      const service = await untilEnd(needs, starting, () => print('Stopping …'));
      print(`Serving on ${service.url}`);
      if (service.eventStorePort !== null)
        print(`Event log for EventStoreDB clients on port ${service.eventStorePort}`);
      void service.firstAdminKey.then((key) => {
        if (key === null) return;
        print('First admin key, shown this once; keep it, requests send it as X-API-Key:');
        print(key);
      });
    });

const serveVault = (needs: CommandNeeds): Command =>
  new Command('serve')
    .description('serve the keys in DATA_DIR over HTTP to the instances of the service, in the foreground')
    .addHelpText(
      'after',
      '\nIt listens on HOST and PORT, and requires KEY_VAULT_TOKEN of every request. The instances use it as KEY_VAULT_URL.',
    )
    .action(async () => {
      const { startVault, vaultFaults } = await import('./vault-service.js');
      const starting = configuredToServe(needs.env, vaultFaults).then(startVault);
      needs.print(`Serving the key vault on ${(await untilEnd(needs, starting)).url}`);
    });

const rotate = ({ env, print }: CommandNeeds): Command =>
  new Command('rotate')
    .description('wrap the keys of personal data with another secret, so that old backups of the keys are useless')
    .addHelpText(
      'after',
      '\nRefused while a service or a vault runs on the data folder. The new secret is KEY_VAULT_NEW_SECRET, or else a new one in keys.secret.',
    )
    .action(async () => {
      const { newSecretFaults, rotateKeys } = await import('./vault-service.js');
      const faults = newSecretFaults(env);
      if (faults.length > 0) throw new WrongConfiguration(faults);
      print(
        `${rotateKeys(configured(env), env['KEY_VAULT_NEW_SECRET'] || null)} keys are wrapped with the new secret.`,
      );
    });

/** `media-analysis vault`: the keys that seal personal data. */
export const vaultCommand = (needs: CommandNeeds): Command =>
  new Command('vault')
    .description('the keys by which personal data is sealed')
    .addCommand(serveVault(needs))
    .addCommand(rotate(needs));
