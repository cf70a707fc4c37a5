import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { addressOf } from './address-of.js';
import { startServerProcess } from './eventstoredb-process.js';
import { type ServerSettings, type TestServer, startTestServer } from './eventstoredb-server.js';
import { startMuteServer } from './mute-server.js';
import { recordingLog } from './recording-log.js';
import { temporaryFolder } from './temporary-sqlite.js';

/** What a test of the EventStoreDB adapter starts and opens. All of it ends after the test, the last first. */
export const useAdapter = () => {
  const ends: Array<() => unknown> = [];
  const later = <Started>(started: Started, end: (started: Started) => unknown): Started => {
    ends.push(() => end(started));
    return started;
  };
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  /** A name for a log's file that does not exist yet. */
  const newFile = async (): Promise<string> => {
    const { path } = later(await temporaryFolder(), ({ remove }) => remove());
    return `${path}/events.db`;
  };
  return {
    later,
    newFile,
    serve: async (settings?: ServerSettings): Promise<TestServer> =>
      later(await startTestServer(settings), ({ stop }) => stop()),
    serveInProcess: async (file: string, port = 0) =>
      later(await startServerProcess({ file, port }), ({ kill }) => kill()),
    serveMute: async (certificate: Parameters<typeof startMuteServer>[0] = null) =>
      later(await startMuteServer(certificate), ({ stop }) => stop()),
    /** Opens the store at an address; `lines` are those of its log. */
    open: (url: string, { log, lines } = recordingLog()) =>
      later({ ...openEventStoreDb(addressOf(url), log), lines }, ({ close }) => close()),
  };
};

/** The lines that report a lost connection. */
export const losses = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => line.startsWith('warn: the connection to the event store is lost'));

/** The lines that report that it is back. */
export const returns = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => line.startsWith('info: the connection to the event store is back'));
