import { Command } from 'commander';
import type { watchedOn } from './terminal.js';

type Copy = (
  from: string,
  to: string,
  onProgress: (progress: { readonly copied: number; readonly found: number }) => void,
) => Promise<{ readonly copied: number; readonly found: number; readonly events: number }>;

export interface EventsNeeds {
  /** Copies a log; rejects with the reason for a failure. */
  readonly copy: Copy;
  /** The same, with personal data sealed in the copy. */
  readonly seal: Copy;
  readonly print: (line: string) => void;
  readonly watched: ReturnType<typeof watchedOn>;
}

interface Options {
  readonly from: string;
  readonly to: string;
  readonly sealPersonal?: boolean;
}

/** What still contains personal data in clear text once a sealed copy is in use. */
const whatToDestroy = (from: string): ReadonlyArray<string> => [
  'Every personal event of the copy is sealed, and its hashes and seals hold. Keep its keys: without them it is lost.',
  'Once the service runs on the copy, destroy what holds the same in clear, for it can be erased nowhere else:',
  `  ${from}${from.includes('://') ? '' : `, ${from}-wal and ${from}-shm`}`,
  '  backups of it, read-models.db beside it, and exports and marts made of it',
];

const copy = ({ copy: run, seal, print, watched }: EventsNeeds): Command =>
  new Command('copy')
    .description('copy a whole log into an empty store, or continue an interrupted copy')
    .requiredOption('--from <log>', 'the file of an embedded log, or a connection string of an EventStoreDB')
    .requiredOption('--to <log>', 'where to, likewise; a file that is missing is created')
    .option('--seal-personal', 'seal what is personal, in a copy of a log from before events were sealed')
    .addHelpText('after', '\nThe service must not write to either meanwhile. Both are compared at the end.')
    .action(async ({ from, to, sealPersonal = false }: Options) => {
      const { copied, found, events } = await watched((onProgress) =>
        (sealPersonal ? seal : run)(from, to, (done) => onProgress({ events: done.found + done.copied, share: null })),
      );
      if (found > 0) print(`${found} events were there already.`);
      print(`Copied ${copied} events. Both logs hold the same ${events} events.`);
      if (sealPersonal) whatToDestroy(from).forEach(print);
    });

/** `media-analysis events`: commands on the whole log. */
export const eventsCommand = (needs: EventsNeeds): Command =>
  new Command('events').description('the log of all events').addCommand(copy(needs));
