import { type Command, InvalidArgumentError } from 'commander';
import { ConnectionError, MediaAnalysis, describeError } from '../client/index.js';
import { NoApiKey } from './no-api-key.js';

export interface AskNeeds {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
}

/** The service to call, the key, and the output format. */
export interface Access {
  readonly url: string;
  readonly key?: string;
  readonly json?: true;
}

const httpUrl = (text: string): string => {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text;
  throw new InvalidArgumentError('It is not an http address.');
};

const usualPort = '8080';

/** The default service: on this machine, at the port in `PORT`. */
export const serviceUrl = ({ MEDIA_ANALYSIS_URL: url = '', PORT: port = '' }: AskNeeds['env']): string =>
  url === '' ? `http://127.0.0.1:${/^[1-9]\d{0,4}$/.test(port) ? port : usualPort}` : url;

/** Adds `--url`, `--key` and `--json` to a command. */
export const withAccess = (command: Command, { env }: AskNeeds): Command =>
  command
    .option('--url <base>', 'the service', httpUrl, serviceUrl(env))
    .option('--key <key>', 'an API key (default: MEDIA_ANALYSIS_API_KEY or ADMIN_API_KEY)')
    .option('--json', "print the service's answer as it is");

/** Calls a running service. Rejects with a readable message if the service refuses or cannot be reached. */
export const askService = async <Answer>(
  { env }: AskNeeds,
  { url, key }: Access,
  ask: (client: MediaAnalysis) => PromiseLike<Answer>,
): Promise<Answer> => {
  const apiKey = key ?? env['MEDIA_ANALYSIS_API_KEY'] ?? env['ADMIN_API_KEY'];
  if (apiKey === undefined) throw new NoApiKey();
  try {
    return await ask(new MediaAnalysis({ baseUrl: url, apiKey }));
  } catch (error) {
    const hint = 'start the service, or give its address with --url, MEDIA_ANALYSIS_URL or PORT';
    throw new Error(error instanceof ConnectionError ? `${error.message}; ${hint}` : describeError(error), {
      cause: error,
    });
  }
};

/** Prints the answer as JSON with `--json`, else as text. */
export const shown = <Answer>(
  { print }: AskNeeds,
  { json }: Access,
  answer: Answer,
  inWords: (answer: Answer) => ReadonlyArray<string>,
): void => (json === true ? print(JSON.stringify(answer)) : inWords(answer).forEach((line) => print(line)));
