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

/** What `startServerProcess` hands over. */
const Settings = t.type({
  file: t.string,
  port: t.number,
  tls: t.union([Pair, t.null]),
  credentials: t.union([Known, t.null]),
  version: t.union([VersionName, t.null]),
  systemEventsPerMinute: t.number,
});

const settings = Settings.decode(JSON.parse(process.argv[2] ?? 'null'));
if (E.isLeft(settings)) throw new Error('the settings cannot be read');
const server = await startTestServer(settings.right);
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.stdout.write(`${server.port}\n`);
