import { isIPv6 } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';

export interface Endpoint {
  /** A host name or IP address; IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
}

/** The content of a connection string: `esdb://`, `kurrentdb://` or `kdb://`, each with or without `+discover`. */
export interface Address {
  /** A single endpoint is the server itself. Several, or one with `+discover`, are asked which node leads. */
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly discover: boolean;
  readonly credentials: { readonly username: string; readonly password: string } | null;
  readonly tls: boolean;
  /** Whether to verify the server's certificate. */
  readonly tls_verify: boolean;
  /** File names; null if not given. */
  readonly tls_ca_file: string | null;
  readonly user_cert_file: string | null;
  readonly user_key_file: string | null;
  readonly node_preference: 'leader' | 'follower' | 'random' | 'read_only_replica';
  readonly connection_name: string | null;
  readonly max_discover_attempts: number;
  /** Milliseconds, like all that follow. */
  readonly discovery_interval: number;
  readonly gossip_timeout: number;
  /** The deadline of each call. */
  readonly deadline: number;
  /** Null: no keep-alive pings are sent. */
  readonly keep_alive_interval: number | null;
  /** Null: a ping may remain unanswered for ever. */
  readonly keep_alive_timeout: number | null;
}

type Options = Omit<Address, 'endpoints' | 'discover' | 'credentials'>;
type Read = (value: string) => Partial<Options> | null;

const defaults: Options = {
  tls: true,
  tls_verify: true,
  tls_ca_file: null,
  user_cert_file: null,
  user_key_file: null,
  node_preference: 'leader',
  connection_name: null,
  max_discover_attempts: 10,
  discovery_interval: 100,
  gossip_timeout: 5_000,
  deadline: 5_000,
  keep_alive_interval: 10_000,
  keep_alive_timeout: 5_000,
};

const number = (value: string, least: number, make: (given: number) => Partial<Options>): Partial<Options> | null =>
  /^\d{1,9}$/.test(value) && Number(value) >= least ? make(Number(value)) : null;

/** Like `number`, but -1 switches the option off. */
const numberOrOff = (
  value: string,
  least: number,
  make: (given: number | null) => Partial<Options>,
): Partial<Options> | null => (value === '-1' ? make(null) : number(value, least, make));

const flag = (value: string, make: (given: boolean) => Partial<Options> | null): Partial<Options> | null =>
  value === 'true' || value === 'false' ? make(value === 'true') : null;

const preferences = {
  leader: 'leader',
  follower: 'follower',
  random: 'random',
  readonlyreplica: 'read_only_replica',
} as const;

const preferenceOf = (value: string): Partial<Options> | null => {
  const name = value.toLowerCase().replaceAll('_', '');
  return name === 'leader' || name === 'follower' || name === 'random' || name === 'readonlyreplica'
    ? { node_preference: preferences[name] }
    : null;
};

/** Keyed by option name in lower case, because the client ignores case too. */
const readers: Readonly<Record<string, Read>> = {
  tls: (value) => flag(value, (tls) => ({ tls })),
  tlsverifycert: (value) => flag(value, (tls_verify) => ({ tls_verify })),
  tlscafile: (value) => ({ tls_ca_file: value }),
  usercertfile: (value) => ({ user_cert_file: value }),
  userkeyfile: (value) => ({ user_key_file: value }),
  nodepreference: preferenceOf,
  connectionname: (value) => ({ connection_name: value }),
  maxdiscoverattempts: (value) => number(value, 1, (max_discover_attempts) => ({ max_discover_attempts })),
  discoveryinterval: (value) => number(value, 1, (discovery_interval) => ({ discovery_interval })),
  gossiptimeout: (value) => number(value, 1, (seconds) => ({ gossip_timeout: seconds * 1_000 })),
  defaultdeadline: (value) => number(value, 100, (deadline) => ({ deadline })),
  keepaliveinterval: (value) => numberOrOff(value, 10_000, (keep_alive_interval) => ({ keep_alive_interval })),
  keepalivetimeout: (value) => numberOrOff(value, 1_000, (keep_alive_timeout) => ({ keep_alive_timeout })),
  throwonappendfailure: (value) => flag(value, () => ({})),
};

const readOptions = (query: string): E.Either<string, Options> => {
  let options = defaults;
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const read = readers[name.toLowerCase()];
    if (read === undefined) return E.left(`the option ${name} is unknown`);
    const option = read(decodeURIComponent(value));
    if (option === null) return E.left(`the option ${name} has an invalid value`);
    options = { ...options, ...option };
  }
  return E.right(options);
};

const defaultPort = 2113;

const readEndpoint = (text: string): Endpoint | null => {
  const [, bracketed, name, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const address = bracketed ?? name;
  if (address === undefined || (bracketed !== undefined && !isIPv6(bracketed))) return null;
  return Number(port ?? defaultPort) > 65_535 ? null : { address, port: Number(port ?? defaultPort) };
};

const isEndpoint = (endpoint: Endpoint | null): endpoint is Endpoint => endpoint !== null;

/** Whether a text is a connection string rather than a file name. */
export const isConnectionString = (text: string): boolean => /^(?:esdb|kurrentdb|kdb)(?:\+discover)?:/.test(text);

const shape =
  /^(?:esdb|kurrentdb|kdb)(?<discover>\+discover)?:\/\/(?:(?<user>[^:@/?]+):(?<secret>[^@/?]+)@)?(?<hosts>[^@/?]+)\/?(?:\?(?<query>.*))?$/;

const read = (text: string): E.Either<string, Address> => {
  const { discover, user, secret, hosts = '', query = '' } = shape.exec(text.trim())?.groups ?? {};
  const endpoints = hosts.split(',').map(readEndpoint);
  const [first, ...others] = endpoints.filter(isEndpoint);
  if (first === undefined || !endpoints.every(isEndpoint))
    return E.left('it must look like esdb://user:password@host:2113?option=value, with as many hosts as there are');
  const options = readOptions(query);
  if (E.isLeft(options)) return options;
  const credentials =
    user === undefined || secret === undefined
      ? null
      : { username: decodeURIComponent(user), password: decodeURIComponent(secret) };
  const { tls, user_cert_file, user_key_file } = options.right;
  if ((user_cert_file === null) !== (user_key_file === null))
    return E.left('the options userCertFile and userKeyFile must be given together');
  if (tls && credentials === null && user_cert_file === null)
    return E.left('a TLS connection needs user:password@ before the host, or userCertFile and userKeyFile');
  return E.right({ ...options.right, endpoints: [first, ...others], discover: discover !== undefined, credentials });
};

/** Parses a connection string. Error messages contain no part of it that may be secret. */
export const readAddress = (text: string): E.Either<string, Address> => {
  try {
    return read(text);
  } catch {
    return E.left('it contains an invalid percent-encoding');
  }
};
