import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { startTestServer } from './eventstoredb-server.js';

const Pair = t.type({ cert: t.string, key: t.string });
const Known = t.type({ username: t.string, password: t.string });

/** What `startServerProcess` hands over. */
const Settings = t.type({
  file: t.string,
  port: t.number,
  tls: t.union([Pair, t.null]),
  credentials: t.union([Known, t.null]),
});

const settings = Settings.decode(JSON.parse(process.argv[2] ?? 'null'));
if (E.isLeft(settings)) throw new Error('the settings cannot be read');
const server = await startTestServer(settings.right);
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.stdout.write(`${server.port}\n`);
