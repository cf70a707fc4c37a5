import { type Reader, integer, text, yesOrNo } from './readers.js';

/** The endpoint on which EventStoreDB clients read the embedded log. */
export interface EventStoreServerConfig {
  readonly port: number;
  readonly host: string;
  /** Null: no credentials needed, on this machine only. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /** Certificate and key files; null: without TLS. */
  readonly tls: { readonly cert_file: string; readonly key_file: string } | null;
}

const loopback: ReadonlyArray<string> = ['127.0.0.1', '::1', 'localhost'];

const both = <Value>(one: string | null, other: string | null, pair: (one: string, other: string) => Value) =>
  one === null || other === null ? null : pair(one, other);

/** Why these settings are inconsistent; null if they are not. */
const mismatch = (config: EventStoreServerConfig, insecure: boolean, halfTls: boolean): string | null => {
  if (insecure && !loopback.includes(config.host))
    return 'EVENTSTORE_INSECURE is for the loopback address alone: EVENTSTORE_HOST must be 127.0.0.1';
  if (!insecure && config.credentials === null)
    return 'EVENTSTORE_PORT needs EVENTSTORE_USERNAME and EVENTSTORE_PASSWORD, or EVENTSTORE_INSECURE=true';
  return halfTls ? 'EVENTSTORE_TLS_CERT and EVENTSTORE_TLS_KEY go together' : null;
};

/** Null if no port is set: then there is no such endpoint. */
export const readEventStoreServer = (
  read: Reader,
  host: string,
  isWrong: (why: string) => void,
): EventStoreServerConfig | null => {
  const optional = (name: string, wanted: string): string | null => read(name, null, text, wanted);
  const port = read('EVENTSTORE_PORT', null, integer(0, 65_535), 'a port from 0 to 65535');
  const insecure = read('EVENTSTORE_INSECURE', false, yesOrNo, 'true or false');
  const [username, password] = [
    optional('EVENTSTORE_USERNAME', 'a user name'),
    optional('EVENTSTORE_PASSWORD', 'a password'),
  ];
  const [cert, key] = [optional('EVENTSTORE_TLS_CERT', 'a file'), optional('EVENTSTORE_TLS_KEY', 'a file')];
  if (port === null) return null;
  const config: EventStoreServerConfig = {
    port,
    host: read('EVENTSTORE_HOST', host, text, 'a host name or address'),
    credentials: insecure ? null : both(username, password, (user, secret) => ({ username: user, password: secret })),
    tls: both(cert, key, (cert_file, key_file) => ({ cert_file, key_file })),
  };
  const wrong = mismatch(config, insecure, (cert === null) !== (key === null));
  if (wrong !== null) isWrong(wrong);
  return config;
};
