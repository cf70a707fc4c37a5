import { isIP } from 'node:net';
import { type Read, type Reader, credits, httpUrl, integer, listOf, price, priceText, text } from './readers.js';

type MediaPorts = readonly [first: number, last: number];

const turnUrls = listOf((item) => /^turns?:[^\s,]+$/.test(item));
const stunUrls = listOf((item) => /^stuns?:[^\s,]+$/.test(item));
const origins = listOf((item) => /^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/,]+)$/i.test(item));
const addresses = listOf((item) => isIP(item) !== 0);

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
  turn_urls: read('TURN_URLS', [], turnUrls, 'addresses as in turn:relay.example:3478'),
  turn_secret: read('TURN_SECRET', null, text, 'a secret'),
  stun_urls: read('STUN_URLS', [], stunUrls, 'addresses as in stun:relay.example:3478'),
});

/** Reads the variables of realtime sessions. */
export const readRealtime = (read: Reader) => {
  const relays = readRelays(read);
  if (relays.turn_urls.length > 0 && relays.turn_secret === null)
    read('TURN_URLS', relays.turn_urls, () => null, 'given together with TURN_SECRET');
  const max_sessions = read('REALTIME_MAX_SESSIONS', 100, sessions, 'a number of sessions');
  return {
    max_sessions,
    max_sessions_per_account: read(
      'REALTIME_MAX_SESSIONS_PER_ACCOUNT',
      quarterOf(max_sessions),
      integer(1, mostSessions),
      'a number of sessions, 1 or more',
    ),
    price_per_minute: read('PRICE_REALTIME_PER_MINUTE', price('0.6'), credits, priceText),
    meter_seconds: seconds(read, 'REALTIME_METER_SECONDS', 10, 3_600),
    token_seconds: seconds(read, 'REALTIME_TOKEN_SECONDS', 600),
    session_seconds: seconds(read, 'REALTIME_SESSION_SECONDS', 4 * 3_600),
    negotiation_seconds: seconds(read, 'REALTIME_NEGOTIATION_SECONDS', 60),
    idle_seconds: seconds(read, 'REALTIME_IDLE_SECONDS', 30),
    /** Null: the embedded engine. */
    engine_url: read('REALTIME_ENGINE_URL', null, httpUrl, 'an http or https address'),
    ...relays,
    /** The interval between pings of a results socket. */
    ping_seconds: seconds(read, 'REALTIME_PING_SECONDS', 15, 3_600),
    /** Origins of pages that may open a results socket; `*`: all. */
    allowed_origins: read('REALTIME_ALLOWED_ORIGINS', ['*'], origins, 'origins as in https://app.example'),
    /** The public address of the service; null: the address in the request. */
    public_url: read('PUBLIC_URL', null, httpUrl, 'an http or https address'),
    /** Addresses for media of the embedded engine, beside those of the network interfaces. */
    media_addresses: read('REALTIME_MEDIA_ADDRESSES', [], addresses, 'IP addresses with commas'),
    /** The range of UDP ports for media; null: any. */
    media_ports: read('REALTIME_MEDIA_PORTS', null, ports, 'two UDP ports from 1024 on, as in 40000-49999'),
  };
};
