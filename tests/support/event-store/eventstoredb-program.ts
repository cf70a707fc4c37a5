import { startTestServer } from './eventstoredb-server.js';
import { versionOf } from './versions.js';

/** Our protocol server as a command: it serves on `$PORT`, keeps its log in `$DB`, and behaves as `$VERSION`. */
const { PORT = '0', DB = 'events.db', VERSION = '' } = process.env;
await startTestServer({ file: DB, port: Number(PORT), version: versionOf(VERSION) });
