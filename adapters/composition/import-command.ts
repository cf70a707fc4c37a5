import { Command, InvalidArgumentError, Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { ImportRequest } from '../import/import-files.js';
import { keepHeapSmall } from '../runtime/memory.js';
import { apiKey, serviceUrl, urlOption } from '../cli/ask-service.js';
import { WrongUsage } from '../cli/readable-error.js';
import type { CommandNeeds } from '../cli/surroundings.js';
import { columns } from '../cli/terminal.js';

/** The options as they are given. */
interface Options extends Omit<Partial<ImportRequest>, 'files'> {
  readonly ownAnalysis?: true;
  readonly json?: true;
}

const examples = `
Examples:
  media-analysis import faces.csv turns.rttm --title "Panel debate"
  media-analysis import --faces faces.csv --diarisation turns.rttm --transcript whisperx.json
  media-analysis import turns.rttm --video-id v-1 --audio-id a-1
  media-analysis import faces.csv --dry-run --json`;

const collect = (id: string, before: ReadonlyArray<string> = []): ReadonlyArray<string> => [...before, id];

const idOf =
  (isId: (text: string) => boolean) =>
  (text: string): string => {
    if (isId(text)) return text;
    throw new InvalidArgumentError('It must have 1 to 128 characters: letters, digits, and . _ : -');
  };

const frameRate = (text: string): number => {
  const fps = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (fps > 0 && fps <= 1_000) return fps;
  throw new InvalidArgumentError('It must be a number above 0, at most 1000');
};

const run = async (
  { env, print, watched, exitWith }: CommandNeeds,
  files: ReadonlyArray<string>,
  options: Options,
): Promise<void> => {
  const url = serviceUrl(env, options.url);
  const key = options.dryRun === true ? '' : apiKey(env, options.key);
  keepHeapSmall();
  const { importFiles } = await import('../import/import-files.js');
  const result = await watched((onProgress) =>
    importFiles({
      ...options,
      providerSupplied: options.ownAnalysis === true ? false : options.providerSupplied,
      files,
      url,
      key,
      progress: (file, read, size) =>
        onProgress({ events: Math.floor(read / 1e6), share: read / size, counted: `MB of ${file}` }),
    }),
  );
  if (E.isLeft(result)) {
    const message = result.left.messages.join('\n');
    throw result.left.kind === 'usage' ? new WrongUsage(message) : new Error(message);
  }
  const { json, text, table, complete } = result.right;
  if (options.json === true) print(JSON.stringify(json, null, 2));
  else [...text, ...columns(table)].forEach((line) => print(line));
  if (!complete) exitWith(1);
};

/** `media-analysis import`: reads annotation files and sends them to a running service. */
export const importCommand = (needs: CommandNeeds): Command =>
  new Command('import')
    .description(
      'send what analysis tools and providers write (faces, speaker turns, transcripts) to a running service',
    )
    .argument('[files...]', 'files of one recording; all content is imported')
    .option('--faces <file>', 'import only the faces of this file', collect)
    .option('--diarisation <file>', 'import only the speaker turns of this file', collect)
    .option('--transcript <file>', 'import only the transcript of this file', collect)
    .option('--provider-supplied', 'the transcript came with the recording: no names are inferred from it')
    .addOption(
      new Option(
        '--own-analysis',
        'the transcript is our own analysis (default: WebVTT, Zoom and SRT are supplied)',
      ).conflicts('providerSupplied'),
    )
    .option('--url <base>', urlOption)
    .option('--key <key>', 'an API key for analyses (default: MEDIA_ANALYSIS_API_KEY or ADMIN_API_KEY)')
    .option('--video-id <id>', 'the video that the files are of; created when missing', idOf(VideoId.is))
    .option(
      '--audio-id <id>',
      'the audio that the turns are of; created when missing, linked to the video',
      idOf(AudioId.is),
    )
    .option('--title <text>', 'the title of what is created')
    .option('--format <name>', 'the format of the file, instead of detecting it; for one file only')
    .option('--faces-format <name>', 'the format of the file given with --faces')
    .option('--diarisation-format <name>', 'the format of the file given with --diarisation')
    .option('--transcript-format <name>', 'the format of the file given with --transcript')
    .option('--recording <id>', 'which recording to take from a file that holds several; may be repeated', collect)
    .option('--fps <number>', 'frames a second of the video, for files that count frames', frameRate)
    .option('--dry-run', 'read the files, send nothing')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', examples)
    .action((files: string[], options: Options) => run(needs, files, options));
