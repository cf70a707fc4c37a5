import { Command } from 'commander';

interface Report {
  readonly file: string;
  readonly state: 'current' | 'outdated' | 'missing' | 'broken';
  readonly versions: Readonly<Record<string, number>>;
  readonly position: string | null;
  readonly head: string | null;
  readonly behind: number | null;
  readonly rows: Readonly<Record<string, number>>;
}

export interface ReadModelsNeeds {
  /** Examines the configured read models; rejects with the reason for a failure. */
  readonly inspect: () => Promise<Report>;
  /** Rebuilds them and prints the progress; rejects with the reason for a failure. */
  readonly rebuild: () => Promise<Report>;
  readonly print: (line: string) => void;
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const states: Readonly<Record<Report['state'], string>> = {
  current: 'of these versions',
  outdated: 'of other versions: rebuilt at the next start',
  missing: 'missing: built at the next start',
  broken: 'broken: rebuilt at the next start',
};

const lag = ({ behind }: Report): string => {
  if (behind === null)
    return 'beyond the end of the log, so of another log: serve refuses it, unless it is started with --accept-log';
  return behind === 0 ? 'up to date' : `${behind} events behind`;
};

const linesOf = (report: Report): ReadonlyArray<string> => [
  `${report.file}: ${states[report.state]}`,
  `versions: ${listed(report.versions)}`,
  `position: ${report.position ?? 'none'} of ${report.head ?? 'an empty log'}, ${lag(report)}`,
  ...(report.state === 'current' ? [`rows: ${listed(report.rows)}`] : []),
];

const printReport = ({ print }: ReadModelsNeeds, report: Report, json: true | undefined): void =>
  json === true ? print(JSON.stringify(report)) : linesOf(report).forEach(print);

interface Options {
  readonly json?: true;
}

const status = (needs: ReadModelsNeeds): Command =>
  new Command('status')
    .description('version, position and rows of the read models, and how far they are behind the log; writes nothing')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: Options) => printReport(needs, await needs.inspect(), json));

const rebuild = (needs: ReadModelsNeeds): Command =>
  new Command('rebuild')
    .description('delete the read models and rebuild them from the log; refused while a service uses them')
    .option('--json', 'print one JSON object at the end')
    .action(async ({ json }: Options) => printReport(needs, await needs.rebuild(), json));

/** `media-analysis read-models`: the tables for queries, which are built from the log. */
export const readModelsCommand = (needs: ReadModelsNeeds): Command =>
  new Command('read-models')
    .description(
      'the read models that queries are answered from; DATA_DIR and EVENT_STORE select them, as for the service',
    )
    .addCommand(status(needs))
    .addCommand(rebuild(needs));
