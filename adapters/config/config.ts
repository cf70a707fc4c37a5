import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { readEventStoreServer } from './eventstore.js';
import { readRealtime } from './realtime.js';
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
  yesOrNo,
} from './readers.js';
import { type Address, isConnectionString, readAddress } from '../event-store/eventstoredb/address.js';
import { logFormats, logLevels } from '../log/pino-log.js';

type Environment = Readonly<Record<string, string | undefined>>;
type IsWrong = (why: string) => void;
const longestWindow = 10 * 365 * 24 * 3_600;

const readMatching = (read: Reader) => ({
  match_stale_seconds: read(
    'MATCH_STALE_SECONDS',
    900,
    integer(1, longestWindow),
    'a whole number of seconds, 1 or more',
  ),
  match_worker: read('MATCH_WORKER', 'embedded', oneOf(['embedded', 'off'] as const), 'embedded or off'),
  /** The age at which unhandled events are swept, and the interval between sweeps. */
  sweep_seconds: read('SWEEP_SECONDS', 60, integer(1, 3_600), 'whole seconds from 1 to 3600'),
});

const readNaming = (read: Reader) => ({
  /** Null: the embedded name model. */
  name_model_url: read('NAME_MODEL_URL', null, httpUrl, 'an http or https address'),
  name_model_api_key: read('NAME_MODEL_API_KEY', null, text, 'a key'),
  name_model_name: read('NAME_MODEL_NAME', 'gpt-4o-mini', text, 'the name of a model'),
  name_model_timeout_seconds: read('NAME_MODEL_TIMEOUT_SECONDS', 60, integer(1, 3_600), 'whole seconds from 1 to 3600'),
  name_model_context_tokens: read(
    'NAME_MODEL_CONTEXT_TOKENS',
    128_000,
    integer(4_000, 10_000_000),
    'a number of tokens from 4000 to 10000000',
  ),
  price_name_inference_base: read('PRICE_NAME_INFERENCE_BASE', price('1'), credits, priceText),
  price_name_inference_per_1k_tokens: read('PRICE_NAME_INFERENCE_PER_1K_TOKENS', price('0.1'), credits, priceText),
});

/** Where the log is: in a file of the data folder, or in an EventStoreDB, whose address may contain a password. */
const readEventStore = ({ EVENT_STORE: given = '' }: Environment, isWrong: IsWrong): 'sqlite' | Address => {
  if (given === '' || given === 'sqlite') return 'sqlite';
  const address = isConnectionString(given) ? readAddress(given) : null;
  if (address !== null && E.isRight(address)) return address.right;
  isWrong(
    address === null
      ? 'EVENT_STORE must be sqlite, or begin with esdb://, kurrentdb:// or kdb:// (each also with +discover)'
      : `EVENT_STORE must be a connection string: ${address.left}`,
  );
  return 'sqlite';
};

/** Reads every variable, or its default. */
const readVariables = (read: Reader, environment: Environment, isWrong: IsWrong) => {
  const host = read('HOST', '127.0.0.1', text, 'a host name or address');
  return {
    host,
    /** 0: any free port. */
    port: read('PORT', 8080, integer(0, 65_535), 'a port from 0 to 65535'),
    data_dir: read('DATA_DIR', './data', text, 'a folder'),
    /** Whether to continue with a log other than the one that the read models were built from. */
    accept_log: read('ACCEPT_LOG', false, yesOrNo, 'true or false'),
    event_store: readEventStore(environment, isWrong),
    /** Null: EventStoreDB clients cannot read the log. */
    eventstore_server: readEventStoreServer(read, host, isWrong),
    admin_api_key: read('ADMIN_API_KEY', null, apiKey, 'a key of printable ASCII characters without spaces'),
    log_level: read('LOG_LEVEL', 'info', oneOf(logLevels), `one of ${logLevels.join(', ')}`),
    /** Null: human-readable on a terminal, else JSON. */
    log_format: read('LOG_FORMAT', null, oneOf(logFormats), logFormats.join(' or ')),
    ...readMatching(read),
    ...readNaming(read),
    /** How many requests of one account are served at the same time. */
    max_requests_per_account: read(
      'MAX_REQUESTS_PER_ACCOUNT',
      128,
      integer(1, 100_000),
      'a whole number from 1 to 100000',
    ),
    /** Origins whose pages may read responses; `*`: all. */
    cors_allowed_origins: read(
      'CORS_ALLOWED_ORIGINS',
      [],
      origins,
      'origins with commas, as in https://app.example, or *',
    ),
    realtime: readRealtime(read),
    /**
     * The vault of the keys that encrypt personal data. Without `url` it is in the data folder, wrapped with `secret` or
     * with a secret from a file.
     */
    key_vault: {
      url: read('KEY_VAULT_URL', null, httpUrl, 'an http or https address'),
      token: read('KEY_VAULT_TOKEN', null, text, 'a token'),
      secret: read('KEY_VAULT_SECRET', null, longText(16), 'a secret of 16 characters or more'),
    },
  };
};

export type Config = Readonly<ReturnType<typeof readVariables>>;

/** The values of variables that are not set. */
export const defaults: Config = readVariables((_, otherwise) => otherwise, {}, constVoid);

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
  const config = readVariables(read, environment, isWrong);
  if (config.eventstore_server !== null && config.event_store !== 'sqlite')
    isWrong('EVENTSTORE_PORT offers the embedded log: EVENT_STORE must be sqlite');
  return wrong.length === 0 ? E.right(config) : E.left(wrong);
};
