import { Command } from 'commander';

export interface ServeNeeds {
  /**
   * Starts the service; the settings override the environment. Resolves with its address, and the first admin key if
   * one was generated.
   */
  readonly start: (settings: Readonly<Record<string, string>>) => Promise<{
    readonly url: string;
    readonly eventStorePort: number | null;
    readonly firstAdminKey: Promise<string | null>;
    readonly stop: () => Promise<void>;
  }>;
  readonly print: (line: string) => void;
  /** Calls back once when the process should end. */
  readonly onEnd: (end: () => void) => void;
  readonly exit: (code: number) => void;
}

interface Options {
  readonly eventstorePort?: string;
  readonly acceptLog?: true;
}

/** The environment variables that the options stand for. */
const settingsOf = ({ eventstorePort, acceptLog }: Options): Readonly<Record<string, string>> => ({
  ...(eventstorePort === undefined ? {} : { EVENTSTORE_PORT: eventstorePort }),
  ...(acceptLog === undefined ? {} : { ACCEPT_LOG: 'true' }),
});

interface Stoppable {
  readonly stop: () => Promise<void>;
}

/** Runs a server in the foreground until the process should end. */
const untilEnd = async <Server extends Stoppable>(
  { onEnd, exit }: Pick<ServeNeeds, 'onEnd' | 'exit'>,
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

/** `media-analysis serve`: the service in the foreground, until SIGTERM or SIGINT. */
export const serveCommand = (needs: ServeNeeds): Command =>
  new Command('serve')
    .description('run the service in the foreground; it is configured by environment variables (see the README)')
    .option('--eventstore-port <port>', 'offer the log to clients of EventStoreDB on this port')
    .option('--accept-log', 'accept an older or different event log, and rebuild the read models from it')
    .action(async (options: Options) => {
      const { start, print } = needs;
      const service = await untilEnd(needs, start(settingsOf(options)), () => print('Stopping …'));
      print(`Serving on ${service.url}`);
      if (service.eventStorePort !== null)
        print(`Event log for EventStoreDB clients on port ${service.eventStorePort}`);
      void service.firstAdminKey.then((key) => {
        if (key === null) return;
        print('First admin key, shown this once; keep it, requests send it as X-API-Key:');
        print(key);
      });
    });

export interface VaultNeeds extends Pick<ServeNeeds, 'print' | 'onEnd' | 'exit'> {
  /** Serves the keys over HTTP; rejects with the reason if it cannot. */
  readonly start: () => Promise<Stoppable & { readonly url: string }>;
  /** Wraps all keys again. Returns their number, or rejects with the reason for a failure. */
  readonly rotate: () => Promise<number>;
}

const serve = (needs: VaultNeeds): Command =>
  new Command('serve')
    .description('serve the keys in DATA_DIR over HTTP to the instances of the service, in the foreground')
    .addHelpText(
      'after',
      '\nIt listens on HOST and PORT, and requires KEY_VAULT_TOKEN of every request. The instances use it as KEY_VAULT_URL.',
    )
    .action(async () => needs.print(`Serving the key vault on ${(await untilEnd(needs, needs.start())).url}`));

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
