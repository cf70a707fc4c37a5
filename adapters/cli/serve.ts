import { Command } from 'commander';

export interface ServeNeeds {
  /** Starts the service; resolves with its address and the first admin key, if one had to be made. */
  readonly start: () => Promise<{
    readonly url: string;
    readonly firstAdminKey: string | null;
    readonly stop: () => Promise<void>;
  }>;
  readonly print: (line: string) => void;
  /** Calls back once when the process is asked to end. */
  readonly onEnd: (end: () => void) => void;
  readonly exit: (code: number) => void;
}

/** `media-analysis serve`: the service in the foreground, until SIGTERM or SIGINT. */
export const serveCommand = ({ start, print, onEnd, exit }: ServeNeeds): Command =>
  new Command('serve')
    .description('run the service in the foreground; it is configured by environment variables (see the README)')
    .action(async () => {
      const service = await start();
      print(`Serving on ${service.url}`);
      if (service.firstAdminKey !== null)
        print(`First admin key, shown this once: ${service.firstAdminKey}\nKeep it; requests send it as X-API-Key.`);
      onEnd(() => {
        print('Stopping …');
        void service.stop().then(() => exit(0));
      });
    });
