import { isIPv6 } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';

export interface Endpoint {
  /** A host name or IP address; IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
}

/** The content of a connection string: `esdb://`, `kurrentdb://` or `kdb://`, each with or without `+discover`. */
export interface Address extends Options {
  /** A single endpoint is the server itself. Several, or one with `+discover`, are asked which node leads. */
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly discover: boolean;
  readonly credentials: { readonly username: string; readonly password: string } | null;
}

const flag = (text: string): boolean | null => (text === 'true' ? true : text === 'false' ? false : null);

const number =
  (least: number) =>
  (text: string): number | null =>
    /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : null;

/** Like `number`, but -1 switches the option off. */
const numberOrOff =
  (least: number) =>
  (text: string): number | 'off' | null =>
    text === '-1' ? 'off' : number(least)(text);

const preferences = ['leader', 'follower', 'random', 'read_only_replica'] as const;

const preference = (text: string): (typeof preferences)[number] | null =>
  preferences.find((name) => name.replaceAll('_', '') === text.toLowerCase().replaceAll('_', '')) ?? null;

type Options = ReturnType<typeof optionsOf>;

/** Takes the value of an option; `otherwise` if it is not given. */
type Take = <A>(name: string, read: (text: string) => A | null, otherwise: A) => A;

const optionsOf = (take: Take) => {
  take('throwOnAppendFailure', flag, true);
  return {
    tls: take('tls', flag, true),
    /** Whether to verify the server's certificate. */
    tls_verify: take('tlsVerifyCert', flag, true),
    /** File names; empty if not given. */
    tls_ca_file: take('tlsCAFile', identity, ''),
    user_cert_file: take('userCertFile', identity, ''),
    user_key_file: take('userKeyFile', identity, ''),
    node_preference: take('nodePreference', preference, 'leader'),
    connection_name: take('connectionName', identity, ''),
    max_discover_attempts: take('maxDiscoverAttempts', number(1), 10),
    /** Milliseconds. */
    discovery_interval: take('discoveryInterval', number(1), 100),
    /** Seconds. */
    gossip_timeout: take('gossipTimeout', number(1), 5),
    /** The deadline of each call, in milliseconds, like the following. */
    deadline: take('defaultDeadline', number(100), 5_000),
    keep_alive_interval: take('keepAliveInterval', numberOrOff(10_000), 10_000),
    keep_alive_timeout: take('keepAliveTimeout', numberOrOff(1_000), 5_000),
  };
};

/** The client ignores the case of option names too. */
const readOptions = (query: string): E.Either<string, Options> => {
  const given = new Map<string, { readonly name: string; readonly value: string }>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    given.set(name.toLowerCase(), { name, value: decodeURIComponent(value) });
  }
  const invalid: string[] = [];
  const options = optionsOf((name, read, otherwise) => {
    const found = given.get(name.toLowerCase());
    given.delete(name.toLowerCase());
    const value = found === undefined ? otherwise : read(found.value);
    if (value === null) invalid.push(name);
    return value ?? otherwise;
  });
  const [unknown] = given.values();
  if (unknown !== undefined) return E.left(`the option ${unknown.name} is unknown`);
  return invalid.length > 0 ? E.left(`the option ${invalid[0]} has an invalid value`) : E.right(options);
};

const defaultPort = 2113;

const readEndpoint = (text: string): Endpoint | null => {
  const [, bracketed, name, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const address = bracketed ?? name;
  if (address === undefined || (bracketed !== undefined && !isIPv6(bracketed))) return null;
  return Number(port ?? defaultPort) > 65_535 ? null : { address, port: Number(port ?? defaultPort) };
};

/** Whether a text is a connection string rather than a file name. */
export const isConnectionString = (text: string): boolean => /^(?:esdb|kurrentdb|kdb)(?:\+discover)?:/.test(text);

const shape =
  /^(?:esdb|kurrentdb|kdb)(?<discover>\+discover)?:\/\/(?:(?<user>[^:@/?]+):(?<secret>[^@/?]+)@)?(?<hosts>[^@/?]+)\/?(?:\?(?<query>.*))?$/;

const read = (text: string): E.Either<string, Address> => {
  const { discover, user, secret, hosts = '', query = '' } = shape.exec(text.trim())?.groups ?? {};
  const endpoints = hosts.split(',').map(readEndpoint);
  const [first, ...others] = endpoints.filter((endpoint) => endpoint !== null);
  if (first === undefined || others.length + 1 < endpoints.length)
    return E.left('it must look like esdb://user:password@host:2113?option=value, with as many hosts as there are');
  const options = readOptions(query);
  if (E.isLeft(options)) return options;
  const credentials =
    user === undefined || secret === undefined
      ? null
      : { username: decodeURIComponent(user), password: decodeURIComponent(secret) };
  const { tls, user_cert_file, user_key_file } = options.right;
  if ((user_cert_file === '') !== (user_key_file === ''))
    return E.left('the options userCertFile and userKeyFile must be given together');
  if (tls && credentials === null && user_cert_file === '')
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
