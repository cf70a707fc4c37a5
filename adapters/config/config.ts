import * as E from 'fp-ts/lib/Either.js';
import type { Credits } from '../../domain/kernel/credits.js';
import { type EventStoreServerConfig, readEventStoreServer } from './eventstore.js';
import { type RealtimeConfig, readRealtime, realtimeDefaults } from './realtime.js';
import {
  type Reader,
  apiKey,
  credits,
  httpUrl,
  integer,
  longText,
  oneOf,
  origins,
  price,
  priceText,
  text,
} from './readers.js';
import { type Address, isConnectionString, readAddress } from '../event-store/eventstoredb/address.js';
import { logFormats, logLevels } from '../log/pino-log.js';

export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly data_dir: string;
  /** Whether to continue with a log other than the one that the read models were built from. */
  readonly accept_log: boolean;
  /** Where the log is: in a file of the data folder, or in an EventStoreDB. */
  readonly event_store: 'sqlite' | Address;
  /** Null: EventStoreDB clients cannot read the log. */
  readonly eventstore_server: EventStoreServerConfig | null;
  readonly admin_api_key: string | null;
  readonly log_level: (typeof logLevels)[number];
  /** Null: human-readable on a terminal, else JSON. */
  readonly log_format: (typeof logFormats)[number] | null;
  readonly match_stale_seconds: number;
  readonly match_worker: 'embedded' | 'off';
  /** The age at which unhandled events are swept, and the interval between sweeps. */
  readonly sweep_seconds: number;
  /** Null: the embedded name model. */
  readonly name_model_url: string | null;
  readonly name_model_api_key: string | null;
  readonly name_model_name: string;
  readonly name_model_timeout_seconds: number;
  readonly name_model_context_tokens: number;
  readonly price_name_inference_base: Credits;
  readonly price_name_inference_per_1k_tokens: Credits;
  /** Origins whose pages may read responses; `*`: all. */
  readonly cors_allowed_origins: ReadonlyArray<string>;
  /** How many requests of one account are served at the same time. */
  readonly max_requests_per_account: number;
  readonly realtime: RealtimeConfig;
  /**
   * The vault of the keys that encrypt personal data. Without `url` it is in the data folder, wrapped with `secret` or
   * with a secret from a file.
   */
  readonly key_vault: { readonly url: string | null; readonly token: string | null; readonly secret: string | null };
}

type Environment = Readonly<Record<string, string | undefined>>;
const longestWindow = 10 * 365 * 24 * 3_600;

/** The values of variables that are not set. */
export const defaults: Config = {
  host: '127.0.0.1',
  port: 8080,
  data_dir: './data',
  accept_log: false,
  event_store: 'sqlite',
  eventstore_server: null,
  admin_api_key: null,
  log_level: 'info',
  log_format: null,
  match_stale_seconds: 900,
  match_worker: 'embedded',
  sweep_seconds: 60,
  name_model_url: null,
  name_model_api_key: null,
  name_model_name: 'gpt-4o-mini',
  name_model_timeout_seconds: 60,
  name_model_context_tokens: 128_000,
  price_name_inference_base: price('1'),
  price_name_inference_per_1k_tokens: price('0.1'),
  cors_allowed_origins: [],
  max_requests_per_account: 128,
  realtime: realtimeDefaults,
  key_vault: { url: null, token: null, secret: null },
};

const readMatching = (read: Reader) => ({
  match_stale_seconds: read(
    'MATCH_STALE_SECONDS',
    defaults.match_stale_seconds,
    integer(1, longestWindow),
    'a whole number of seconds, 1 or more',
  ),
  match_worker: read('MATCH_WORKER', defaults.match_worker, oneOf(['embedded', 'off'] as const), 'embedded or off'),
  sweep_seconds: read('SWEEP_SECONDS', defaults.sweep_seconds, integer(1, 3_600), 'whole seconds from 1 to 3600'),
});

const readNaming = (read: Reader) => ({
  name_model_url: read('NAME_MODEL_URL', defaults.name_model_url, httpUrl, 'an http or https address'),
  name_model_api_key: read('NAME_MODEL_API_KEY', defaults.name_model_api_key, text, 'a key'),
  name_model_name: read('NAME_MODEL_NAME', defaults.name_model_name, text, 'the name of a model'),
  name_model_timeout_seconds: read(
    'NAME_MODEL_TIMEOUT_SECONDS',
    defaults.name_model_timeout_seconds,
    integer(1, 3_600),
    'whole seconds from 1 to 3600',
  ),
  name_model_context_tokens: read(
    'NAME_MODEL_CONTEXT_TOKENS',
    defaults.name_model_context_tokens,
    integer(4_000, 10_000_000),
    'a number of tokens from 4000 to 10000000',
  ),
  price_name_inference_base: read('PRICE_NAME_INFERENCE_BASE', defaults.price_name_inference_base, credits, priceText),
  price_name_inference_per_1k_tokens: read(
    'PRICE_NAME_INFERENCE_PER_1K_TOKENS',
    defaults.price_name_inference_per_1k_tokens,
    credits,
    priceText,
  ),
});

const readKeyVault = (read: Reader): Config['key_vault'] => ({
  url: read('KEY_VAULT_URL', null, httpUrl, 'an http or https address'),
  token: read('KEY_VAULT_TOKEN', null, text, 'a token'),
  secret: read('KEY_VAULT_SECRET', null, longText(16), 'a secret of 16 characters or more'),
});

/** Reports an invalid connection string without repeating it, since it may contain a password. */
const readEventStore = (
  { EVENT_STORE: given = '' }: Environment,
  isWrong: (why: string) => void,
): Config['event_store'] => {
  if (given === '' || given === 'sqlite') return 'sqlite';
  if (!isConnectionString(given)) {
    isWrong('EVENT_STORE must be sqlite, or begin with esdb://, kurrentdb:// or kdb:// (each also with +discover)');
    return defaults.event_store;
  }
  const address = readAddress(given);
  if (E.isRight(address)) return address.right;
  isWrong(`EVENT_STORE must be a connection string: ${address.left}`);
  return defaults.event_store;
};

/** Reads all variables. Returns all errors at once. */
export const readConfig = (environment: Environment): E.Either<ReadonlyArray<string>, Config> => {
  const wrong: Array<string> = [];
  const read: Reader = (name, otherwise, reader, wanted) => {
    const given = environment[name];
    if (given === undefined || given === '') return otherwise;
    const value = reader(given);
    if (value === null) wrong.push(`${name} must be ${wanted}`);
    return value ?? otherwise;
  };
  const isWrong = (why: string): void => void wrong.push(why);
  const host = read('HOST', defaults.host, text, 'a host name or address');
  const config: Config = {
    host,
    port: read('PORT', defaults.port, integer(0, 65_535), 'a port from 0 to 65535'),
    data_dir: read('DATA_DIR', defaults.data_dir, text, 'a folder'),
    accept_log: read('ACCEPT_LOG', 'false', oneOf(['true', 'false'] as const), 'true or false') === 'true',
    event_store: readEventStore(environment, isWrong),
    eventstore_server: readEventStoreServer(read, host, isWrong),
    admin_api_key: read(
      'ADMIN_API_KEY',
      defaults.admin_api_key,
      apiKey,
      'a key of printable ASCII characters without spaces',
    ),
    log_level: read('LOG_LEVEL', defaults.log_level, oneOf(logLevels), `one of ${logLevels.join(', ')}`),
    log_format: read('LOG_FORMAT', defaults.log_format, oneOf(logFormats), logFormats.join(' or ')),
    ...readMatching(read),
    ...readNaming(read),
    max_requests_per_account: read(
      'MAX_REQUESTS_PER_ACCOUNT',
      defaults.max_requests_per_account,
      integer(1, 100_000),
      'a whole number from 1 to 100000',
    ),
    cors_allowed_origins: read(
      'CORS_ALLOWED_ORIGINS',
      defaults.cors_allowed_origins,
      origins,
      'origins with commas, as in https://app.example, or *',
    ),
    realtime: readRealtime(read),
    key_vault: readKeyVault(read),
  };
  if (config.eventstore_server !== null && config.event_store !== 'sqlite')
    isWrong('EVENTSTORE_PORT offers the embedded log: EVENT_STORE must be sqlite');
  return wrong.length === 0 ? E.right(config) : E.left(wrong);
};
