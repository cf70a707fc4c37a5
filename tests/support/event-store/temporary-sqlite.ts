import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventStore, type SqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import type { OpenedStore } from '../contracts/event-store-contract.js';

/** A new temporary folder and a function that removes it. */
export const temporaryFolder = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'media-analysis-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/** A temporary folder of the tests of a block, or of each one; it is removed afterwards. */
export const useFolder = (begin = before, end = after): (() => string) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  begin(async () => {
    folder = await temporaryFolder();
  });
  end(() => folder.remove());
  return () => folder.path;
};

type Options = Omit<Parameters<typeof openSqliteEventStore>[0], 'file'>;

const reopening = (file: string, remove: () => Promise<void>, options: Options): OpenedStore => {
  const opened: SqliteEventStore = openSqliteEventStore({ file, ...options });
  return {
    ...opened,
    reopen: async () => {
      await opened.close();
      return reopening(file, remove, options);
    },
    close: async () => {
      await opened.close();
      await remove();
    },
  };
};

/** A new event log in a temporary folder, which is removed when the log is closed. */
export const openTemporarySqlite = async (options: Options = {}): Promise<OpenedStore> => {
  const { path, remove } = await temporaryFolder();
  return reopening(join(path, 'events.db'), remove, options);
};
