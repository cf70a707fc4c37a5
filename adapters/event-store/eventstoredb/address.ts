import { readFileSync } from 'node:fs';
import { identity } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';

export interface Endpoint {
  /** A host name or IP address; IPv6 in brackets. */
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

/** The longest possible timer, 24 days: the client would take its own "never" for a ping every millisecond. */
const never_ms = 2 ** 31 - 1;

/** Like `number`, but -1 switches the option off. */
const numberOrOff =
  (least: number) =>
  (text: string): number | null =>
    text === '-1' ? never_ms : number(least)(text);

/** The content of a file; null if it cannot be read. */
const content = (file: string): Buffer | null => {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
};

type Options = ReturnType<typeof optionsOf>;

/** Takes the value of an option; `otherwise` if it is not given. */
type Take = <A>(name: string, read: (text: string) => A | null, otherwise: A) => A;

/** The options by the names and in the units of the vendor's client, but files by their content. */
const optionsOf = (take: Take) => {
  // The leader makes all calls.
  take('nodePreference', identity, '');
  return {
    tls: take('tls', flag, true),
    tlsVerifyCert: take('tlsVerifyCert', flag, true),
    tlsCAFile: take<Buffer | undefined>('tlsCAFile', content, undefined),
    userCertFile: take<Buffer | undefined>('userCertFile', content, undefined),
    userKeyFile: take<Buffer | undefined>('userKeyFile', content, undefined),
    connectionName: take('connectionName', identity, 'media-analysis'),
    maxDiscoverAttempts: take('maxDiscoverAttempts', number(1), 10),
    discoveryInterval: take('discoveryInterval', number(1), 100),
    gossipTimeout: take('gossipTimeout', number(1), 5),
    defaultDeadline: take('defaultDeadline', number(100), 5_000),
    keepAliveInterval: take('keepAliveInterval', numberOrOff(10_000), 10_000),
    keepAliveTimeout: take('keepAliveTimeout', numberOrOff(1_000), 5_000),
  };
};

/** The client ignores the case of option names too. */
const readOptions = (query: string): E.Either<string, Options> => {
  const pairs = new URLSearchParams(query.replaceAll('+', '%2B'));
  const given = new Map([...pairs].map(([name, value]) => [name.toLowerCase(), value]));
  const invalid: string[] = [];
  const options = optionsOf((name, read, otherwise) => {
    const text = given.get(name.toLowerCase());
    given.delete(name.toLowerCase());
    const value = text === undefined ? otherwise : read(text);
    if (value === null) invalid.push(`the option ${name} has an invalid value, or names a file that cannot be read`);
    return value ?? otherwise;
  });
  const [wrong] = [...[...given.keys()].map((name) => `the option ${name} is unknown`), ...invalid];
  return wrong === undefined ? E.right(options) : E.left(wrong);
};

const defaultPort = 2113;

/** Throws on what is no host, with a port or without one. */
const readEndpoint = (text: string): Endpoint => {
  const { hostname, port } = new URL(`esdb://${text}`);
  if (hostname === '') throw new Error('there is no host');
  return { address: hostname, port: port === '' ? defaultPort : Number(port) };
};

/** Whether a text is a connection string rather than a file name. */
export const isConnectionString = (text: string): boolean => /^(?:esdb|kurrentdb|kdb)(?:\+discover)?:/.test(text);

const shape =
  /^(?:esdb|kurrentdb|kdb)(?<discover>\+discover)?:\/\/(?:(?<user>[^:@/?]+):(?<secret>[^@/?]+)@)?(?<hosts>[^@/?#]+)\/?(?:\?(?<query>.*))?$/;

const read = (text: string): E.Either<string, Address> => {
  const { discover, user = '', secret = '', hosts = '', query = '' } = shape.exec(text.trim())?.groups ?? {};
  const [first = '', ...others] = hosts.split(',');
  const endpoints = [readEndpoint(first), ...others.map(readEndpoint)] as const;
  const username = decodeURIComponent(user);
  const credentials = username === '' ? null : { username, password: decodeURIComponent(secret) };
  const options = readOptions(query);
  if (E.isLeft(options)) return options;
  const { tls, userCertFile, userKeyFile } = options.right;
  if ((userCertFile === undefined) !== (userKeyFile === undefined))
    return E.left('the options userCertFile and userKeyFile must be given together');
  if (tls && credentials === null && userCertFile === undefined)
    return E.left('a TLS connection needs user:password@ before the host, or userCertFile and userKeyFile');
  return E.right({ ...options.right, endpoints, discover: discover !== undefined, credentials });
};

/** Parses a connection string. Error messages contain no part of it that may be secret. */
export const readAddress = (text: string): E.Either<string, Address> => {
  try {
    return read(text);
  } catch {
    return E.left('it must look like esdb://user:password@host:2113?option=value, with as many hosts as there are');
  }
};
