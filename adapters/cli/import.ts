import { Command } from 'commander';
import type * as E from 'fp-ts/lib/Either.js';

/** What the command asks of the import. */
interface ImportRequest {
  readonly files: ReadonlyArray<string>;
  readonly url: string;
  readonly key: string;
  readonly videoId: string | undefined;
  readonly audioId: string | undefined;
  readonly title: string | undefined;
  readonly format: string | undefined;
  readonly recordings: ReadonlyArray<string>;
  readonly dryRun: boolean;
}

interface ImportFailure {
  readonly kind: 'usage' | 'failed';
  readonly messages: ReadonlyArray<string>;
}

interface ImportReport {
  readonly text: ReadonlyArray<string>;
  readonly json: object;
}

/** What the command needs from outside: the import itself, and the process that it runs in. */
export interface ImportCommandNeeds {
  readonly importFiles: (request: ImportRequest) => Promise<E.Either<ImportFailure, ImportReport>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Sets the exit code: 0 done, 1 failed, 2 wrong usage. */
  readonly exitWith: (code: 0 | 1 | 2) => void;
}

interface Options {
  readonly url: string;
  readonly key?: string;
  readonly videoId?: string;
  readonly audioId?: string;
  readonly title?: string;
  readonly format?: string;
  readonly recording: ReadonlyArray<string>;
  readonly json?: true;
  readonly dryRun?: true;
}

const exitCodes = { usage: 2, failed: 1 } as const;

const examples = `
Examples:
  media-analysis import faces.csv turns.rttm --title "Panel debate"
  media-analysis import turns.rttm --video-id v-1 --audio-id a-1
  media-analysis import faces.csv --dry-run --json`;

/** The first that is set and not empty. */
const firstOf = (...texts: ReadonlyArray<string | undefined>): string => texts.find((text) => text) ?? '';

const collect = (id: string, before: ReadonlyArray<string>): ReadonlyArray<string> => [...before, id];

const run = async (needs: ImportCommandNeeds, files: ReadonlyArray<string>, options: Options): Promise<void> => {
  const complain = (messages: ReadonlyArray<string>, code: 1 | 2): void => {
    messages.forEach((message) => needs.printError(message));
    needs.exitWith(code);
  };
  const { url, title, videoId, audioId, format, recording: recordings } = options;
  const key = firstOf(options.key, needs.env['MEDIA_ANALYSIS_API_KEY'], needs.env['ADMIN_API_KEY']);
  const dryRun = options.dryRun ?? false;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) return complain([`--url ${url} is no http address`], 2);
  if (key === '' && !dryRun)
    return complain(['no API key: give --key, or set MEDIA_ANALYSIS_API_KEY or ADMIN_API_KEY'], 2);
  const result = await needs.importFiles({
    files,
    url,
    key,
    videoId,
    audioId,
    title,
    format,
    recordings,
    dryRun,
  });
  if (result._tag === 'Left') return complain(result.left.messages, exitCodes[result.left.kind]);
  if (options.json === true) needs.print(JSON.stringify(result.right.json, null, 2));
  else result.right.text.forEach((line) => needs.print(line));
  return needs.exitWith(0);
};

/**
 * `media-analysis import`: reads annotation files and sends them to a running service. Reports go to `print`,
 * errors to `printError`, one message a line. A command line that does not parse, and a call for help, reject
 * with commander's error once the exit code is set.
 */
export const importCommand = (needs: ImportCommandNeeds): Command =>
  new Command('import')
    .description('send faces (AVA-ActiveSpeaker CSV, ASW JSON) and speaker turns (RTTM) to a running service')
    .argument('<files...>', 'a file of faces, a file of speaker turns, or one of each')
    .option('--url <base>', 'the service', firstOf(needs.env['MEDIA_ANALYSIS_URL'], 'http://127.0.0.1:8080'))
    .option('--key <key>', 'an API key for analyses (default: MEDIA_ANALYSIS_API_KEY or ADMIN_API_KEY)')
    .option('--video-id <id>', 'the video that the files are of; created when missing')
    .option('--audio-id <id>', 'the audio that the turns are of; created when missing, linked to the video')
    .option('--title <text>', 'the title of what is created')
    .option('--format <name>', 'rttm, ava_csv or asw_json, instead of recognising it; one file only')
    .option('--recording <id>', 'which recording to take from a file that holds several; may be repeated', collect, [])
    .option('--dry-run', 'read the files, send nothing')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', examples)
    .configureOutput({
      writeOut: (text) => needs.print(text.trimEnd()),
      writeErr: (text) => needs.printError(text.trimEnd()),
    })
    .exitOverride((error) => {
      needs.exitWith(error.exitCode === 0 ? 0 : 2);
      throw error;
    })
    .action((files: string[], options: Options) => run(needs, files, options));
