import type { Command } from 'commander';
import { ApiError, ConnectionError, MediaAnalysis, describeError } from '../client/index.js';
import { WrongUsage } from './readable-error.js';
import type { CommandNeeds } from './surroundings.js';

/** The service to call, the key, and the output format. */
export interface Access {
  readonly url?: string;
  readonly key?: string;
  readonly json?: true;
}

const usualPort = '8080';

export const urlOption = 'the service (default: MEDIA_ANALYSIS_URL, or this machine at PORT or 8080)';

/** The service to call, by default on this machine at the port in `PORT`. Throws if that is no address. */
export const serviceUrl = (
  { MEDIA_ANALYSIS_URL: own = '', PORT: port = '' }: CommandNeeds['env'],
  given = '',
): string => {
  const url = given || own || `http://127.0.0.1:${port || usualPort}`;
  if (URL.canParse(url) && /^https?:/i.test(url)) return url;
  throw new WrongUsage(`${url} is not an http address: give --url, or set MEDIA_ANALYSIS_URL or PORT`);
};

/** The API key. Throws if there is none. */
export const apiKey = (
  { MEDIA_ANALYSIS_API_KEY: own = '', ADMIN_API_KEY: admin = '' }: CommandNeeds['env'],
  given = '',
): string => {
  const key = given || own || admin;
  if (key === '') throw new WrongUsage('no API key: give --key, or set MEDIA_ANALYSIS_API_KEY or ADMIN_API_KEY');
  return key;
};

/** Adds `--url`, `--key` and `--json` to a command. */
export const withAccess = (command: Command): Command =>
  command
    .option('--url <base>', urlOption)
    .option('--key <key>', 'an API key (default: MEDIA_ANALYSIS_API_KEY or ADMIN_API_KEY)')
    .option('--json', "print the service's answer as it is");

/**
 * Calls a running service. Rejects with a readable message if the service refuses or cannot be reached. A malformed body
 * is wrong usage: it was made of the arguments.
 */
export const askService = async <Answer>(
  { env }: CommandNeeds,
  { url, key }: Access,
  ask: (client: MediaAnalysis) => PromiseLike<Answer>,
): Promise<Answer> => {
  const client = new MediaAnalysis({ baseUrl: serviceUrl(env, url), apiKey: apiKey(env, key) });
  try {
    return await ask(client);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'malformed_body') throw new WrongUsage(describeError(error));
    const hint = 'start the service, or give its address with --url, MEDIA_ANALYSIS_URL or PORT';
    throw new Error(error instanceof ConnectionError ? `${error.message}; ${hint}` : describeError(error), {
      cause: error,
    });
  }
};

/** Prints the answer as JSON with `--json`, else as text. */
export const shown = <Answer>(
  { print }: CommandNeeds,
  { json }: Access,
  answer: Answer,
  inWords: (answer: Answer) => ReadonlyArray<string>,
): void => (json === true ? print(JSON.stringify(answer)) : inWords(answer).forEach((line) => print(line)));
