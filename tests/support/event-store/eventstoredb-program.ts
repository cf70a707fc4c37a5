import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { startTestServer } from './eventstoredb-server.js';
import { type Version, isVersion } from './versions.js';

const Pair = t.type({ cert: t.string, key: t.string });
const Known = t.type({ username: t.string, password: t.string });

const VersionName = new t.Type<Version>(
  'Version',
  (text): text is Version => t.string.is(text) && isVersion(text),
  (text, context) => (t.string.is(text) && isVersion(text) ? t.success(text) : t.failure(text, context)),
  (version) => version,
);

/** What `startServerProcess` hands over; as a command of its own the program takes `$PORT` and `$DB`. */
const Settings = t.type({
  file: t.string,
  port: t.number,
  tls: t.union([Pair, t.null]),
  credentials: t.union([Known, t.null]),
  version: t.union([VersionName, t.null]),
  systemEventsPerMinute: t.number,
});

const { PORT = '0', DB = 'events.db' } = process.env;
const plainly = { file: DB, port: Number(PORT), tls: null, credentials: null, version: null, systemEventsPerMinute: 0 };
const given: unknown = process.argv[2] === undefined ? plainly : JSON.parse(process.argv[2]);
const settings = Settings.decode(given);
if (E.isLeft(settings)) throw new Error('the settings cannot be read');
const server = await startTestServer(settings.right);
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.stdout.write(`${server.port}\n`);
