import { isIP } from 'node:net';
import type { RealtimeSettings } from '../../application/realtime/realtime.js';
import { type Read, type Reader, credits, httpUrl, integer, price, priceText, text } from './readers.js';

export interface RealtimeConfig extends RealtimeSettings {
  /** Null: the embedded engine. */
  readonly engine_url: string | null;
  readonly turn_urls: ReadonlyArray<string>;
  readonly turn_secret: string | null;
  readonly stun_urls: ReadonlyArray<string>;
  /** The interval between pings of a results socket. */
  readonly ping_seconds: number;
  /** Origins of pages that may open a results socket; `*`: all. */
  readonly allowed_origins: ReadonlyArray<string>;
  /** The public address of the service; null: the address in the request. */
  readonly public_url: string | null;
  /** Addresses for media of the embedded engine, beside those of the network interfaces. */
  readonly media_addresses: ReadonlyArray<string>;
  /** The range of UDP ports for media; null: any. */
  readonly media_ports: MediaPorts | null;
}

export type MediaPorts = readonly [first: number, last: number];

export const realtimeDefaults: RealtimeConfig = {
  max_sessions: 100,
  max_sessions_per_account: 25,
  price_per_minute: price('0.6'),
  meter_seconds: 10,
  token_seconds: 600,
  session_seconds: 4 * 3_600,
  negotiation_seconds: 60,
  idle_seconds: 30,
  engine_url: null,
  turn_urls: [],
  turn_secret: null,
  stun_urls: [],
  ping_seconds: 15,
  allowed_origins: ['*'],
  public_url: null,
  media_addresses: [],
  media_ports: null,
};

const listOf =
  (pattern: RegExp): Read<ReadonlyArray<string>> =>
  (given) => {
    const items = given.split(',').map((item) => item.trim());
    return items.every((item) => pattern.test(item)) ? items : null;
  };

const turnUrls = listOf(/^turns?:[^\s,]+$/);
const stunUrls = listOf(/^stuns?:[^\s,]+$/);
const origins = listOf(/^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/,]+)$/i);

const addresses: Read<ReadonlyArray<string>> = (given) => {
  const items = given.split(',').map((item) => item.trim());
  return items.every((item) => isIP(item) !== 0) ? items : null;
};

const ports: Read<MediaPorts> = (given) => {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(given) ?? [];
  const range: MediaPorts = [Number(first), Number(last)];
  return range[0] >= 1_024 && range[0] < range[1] && range[1] <= 65_535 ? range : null;
};

const mostSessions = 100_000;
const sessions = integer(0, mostSessions);
/** The default limit of one account. */
const quarterOf = (max_sessions: number): number => Math.max(1, Math.floor(max_sessions / 4));

const aWeek = 7 * 24 * 3_600;

/** The whole seconds of a variable. */
const seconds = (read: Reader, name: string, otherwise: number, most = aWeek): number =>
  read(name, otherwise, integer(1, most), `whole seconds from 1 to ${most}`);

const readRelays = (read: Reader) => ({
  turn_urls: read('TURN_URLS', realtimeDefaults.turn_urls, turnUrls, 'addresses as in turn:relay.example:3478'),
  turn_secret: read('TURN_SECRET', realtimeDefaults.turn_secret, text, 'a secret'),
  stun_urls: read('STUN_URLS', realtimeDefaults.stun_urls, stunUrls, 'addresses as in stun:relay.example:3478'),
});

/** Reads the variables of realtime sessions. */
export const readRealtime = (read: Reader): RealtimeConfig => {
  const of = realtimeDefaults;
  const relays = readRelays(read);
  if (relays.turn_urls.length > 0 && relays.turn_secret === null)
    read('TURN_URLS', relays.turn_urls, () => null, 'given together with TURN_SECRET');
  const max_sessions = read('REALTIME_MAX_SESSIONS', of.max_sessions, sessions, 'a number of sessions');
  return {
    max_sessions,
    max_sessions_per_account: read(
      'REALTIME_MAX_SESSIONS_PER_ACCOUNT',
      quarterOf(max_sessions),
      integer(1, mostSessions),
      'a number of sessions, 1 or more',
    ),
    price_per_minute: read('PRICE_REALTIME_PER_MINUTE', of.price_per_minute, credits, priceText),
    meter_seconds: seconds(read, 'REALTIME_METER_SECONDS', of.meter_seconds, 3_600),
    token_seconds: seconds(read, 'REALTIME_TOKEN_SECONDS', of.token_seconds),
    session_seconds: seconds(read, 'REALTIME_SESSION_SECONDS', of.session_seconds),
    negotiation_seconds: seconds(read, 'REALTIME_NEGOTIATION_SECONDS', of.negotiation_seconds),
    idle_seconds: seconds(read, 'REALTIME_IDLE_SECONDS', of.idle_seconds),
    engine_url: read('REALTIME_ENGINE_URL', of.engine_url, httpUrl, 'an http or https address'),
    ...relays,
    ping_seconds: seconds(read, 'REALTIME_PING_SECONDS', of.ping_seconds, 3_600),
    allowed_origins: read('REALTIME_ALLOWED_ORIGINS', of.allowed_origins, origins, 'origins as in https://app.example'),
    public_url: read('PUBLIC_URL', of.public_url, httpUrl, 'an http or https address'),
    media_addresses: read('REALTIME_MEDIA_ADDRESSES', of.media_addresses, addresses, 'IP addresses with commas'),
    media_ports: read('REALTIME_MEDIA_PORTS', of.media_ports, ports, 'two UDP ports from 1024 on, as in 40000-49999'),
  };
};
