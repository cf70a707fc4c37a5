import { Command } from 'commander';

export interface EventsNeeds {
  /** Copies a log between two places; rejects with what kept it from doing so. */
  readonly copy: (
    from: string,
    to: string,
    onProgress: (progress: { readonly copied: number; readonly found: number }) => void,
  ) => Promise<{ readonly copied: number; readonly found: number; readonly events: number; readonly streams: number }>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

const interval = 1_000;

/** Tells of the progress once a second at most. */
const teller = (printError: EventsNeeds['printError']) => {
  let told = performance.now();
  return ({ copied, found }: { readonly copied: number; readonly found: number }): void => {
    if (performance.now() - told < interval) return;
    told = performance.now();
    printError(`${found + copied} events are there`);
  };
};

const copy = ({ copy: run, print, printError }: EventsNeeds): Command =>
  new Command('copy')
    .description('copy a whole log into an empty store, or continue an interrupted copy')
    .requiredOption('--from <log>', 'the file of an embedded log, or a connection string of an EventStoreDB')
    .requiredOption('--to <log>', 'where to, likewise; a file that is missing is created')
    .addHelpText('after', '\nThe service must not write to either meanwhile. Both are compared at the end.')
    .action(async ({ from, to }: { readonly from: string; readonly to: string }) => {
      const { copied, found, events, streams } = await run(from, to, teller(printError));
      if (found > 0) print(`${found} events were there already.`);
      print(`Copied ${copied} events. Both logs hold the same ${events} events in ${streams} streams.`);
    });

/** `media-analysis events`: the log as a whole. */
export const eventsCommand = (needs: EventsNeeds): Command =>
  new Command('events').description('the log of all events').addCommand(copy(needs));
