import * as E from 'fp-ts/lib/Either.js';
import { logLevels } from './log/pino-log.js';

export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly data_dir: string;
  readonly admin_api_key: string | null;
  readonly log_level: (typeof logLevels)[number];
  readonly match_stale_seconds: number;
  readonly match_worker: 'embedded' | 'off';
}

type Environment = Readonly<Record<string, string | undefined>>;
type Read<Value> = (text: string) => Value | null;

const oneOf =
  <Value extends string>(values: ReadonlyArray<Value>): Read<Value> =>
  (text) =>
    values.find((value) => value === text) ?? null;

const text: Read<string> = (given) => (given.trim() === '' ? null : given);

const integer =
  (least: number, most: number): Read<number> =>
  (given) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    return value >= least && value <= most ? value : null;
  };

const longestWindow = 10 * 365 * 24 * 3_600;

/** Every variable with its default; all that is wrong is told at once. */
export const readConfig = (environment: Environment): E.Either<ReadonlyArray<string>, Config> => {
  const wrong: Array<string> = [];
  const read = <Value>(name: string, otherwise: Value, reader: Read<Value>, wanted: string): Value => {
    const given = environment[name];
    if (given === undefined || given === '') return otherwise;
    const value = reader(given);
    if (value === null) wrong.push(`${name} must be ${wanted}`);
    return value ?? otherwise;
  };
  const config: Config = {
    host: read('HOST', '127.0.0.1', text, 'a host name or address'),
    port: read('PORT', 8080, integer(0, 65_535), 'a port from 0 to 65535'),
    data_dir: read('DATA_DIR', './data', text, 'a folder'),
    admin_api_key: read<string | null>('ADMIN_API_KEY', null, text, 'a key'),
    log_level: read('LOG_LEVEL', 'info', oneOf(logLevels), `one of ${logLevels.join(', ')}`),
    match_stale_seconds: read(
      'MATCH_STALE_SECONDS',
      900,
      integer(1, longestWindow),
      'a whole number of seconds, 1 or more',
    ),
    match_worker: read('MATCH_WORKER', 'embedded', oneOf(['embedded', 'off'] as const), 'embedded or off'),
  };
  read('EVENT_STORE', 'sqlite', oneOf(['sqlite']), 'sqlite');
  return wrong.length === 0 ? E.right(config) : E.left(wrong);
};
