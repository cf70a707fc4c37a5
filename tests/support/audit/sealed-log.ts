import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import { openDatabase, inspectDatabase, inspectFile, tables } from '../../../adapters/event-store/sqlite/file.js';
import { eventStoreOver, openSqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { type StoredSeal, type KeptSeal, sealLog, verifyLog } from '../../../application/audit/verify-log.js';
import type { Fault } from '../../../projections/audit/fault.js';
import { world } from '../application/world.js';
import { newEvent } from '../event-store/events.js';
import { succeeded } from '../event-store/outcomes.js';
import { recordUnsealed } from '../recorded-scenario.js';

/** A sealed log with events of every type, and some more events after the seal. */
export interface SealedFile {
  readonly file: string;
  readonly seal: StoredSeal;
  /** Events that the seal covers. */
  readonly sealed: number;
}

export const makeSealedFile = async (folder: string): Promise<SealedFile> => {
  const file = join(folder, 'sealed.db');
  const { store, close } = openSqliteEventStore({ file });
  const place = world(store);
  await recordUnsealed(place);
  const { ids, clock } = place.app;
  const seal = await sealLog({ store, ids, clock });
  if (E.isLeft(seal)) throw new Error(JSON.stringify(seal.left));
  for (let number = 0; number < 3; number += 1)
    await succeeded(store.append(`after-${number}`, 'no_stream', [newEvent()]));
  await close();
  return { file, seal: seal.right, sealed: seal.right.sealed.events };
};

type Work = (db: Database.Database) => void;

const behindTriggers = (db: Database.Database, work: Work): void => {
  db.exec('DROP TRIGGER events_are_never_deleted; DROP TRIGGER events_are_never_changed');
  work(db);
  tables.filter((sql) => sql.startsWith('CREATE TRIGGER')).forEach((sql) => db.exec(sql));
};

/** Changes a copy of the file without its triggers, and restores these. */
export const tampered = (file: string, copy: string, work: Work): void => {
  copyFileSync(file, copy);
  const db = new Database(copy);
  try {
    behindTriggers(db, work);
  } finally {
    db.close();
  }
};

/** A log for any number of changes, each of which is rolled back. */
export interface TamperedLog {
  /** The faults that verification finds after the change. */
  readonly faultsAfter: (work: Work) => Promise<ReadonlyArray<Fault>>;
  readonly close: () => Promise<void>;
}

/**
 * Each change is made and verified inside a transaction that is rolled back. Reads see the same as in a changed
 * file, but nothing waits for the disk.
 */
export const openTampered = (file: string): TamperedLog => {
  const db = openDatabase(file);
  const { store, close } = eventStoreOver(db);
  return {
    close,
    faultsAfter: async (work) => {
      db.exec('BEGIN');
      try {
        behindTriggers(db, work);
        const inspected = inspectDatabase(db);
        const { faults } = await verifyLog(store);
        return [...inspected, ...faults];
      } finally {
        db.exec('ROLLBACK');
      }
    },
  };
};

/** The faults that verification of a file finds. */
export const faultsOf = async (file: string, kept: ReadonlyArray<KeptSeal> = []): Promise<ReadonlyArray<Fault>> => {
  const inspected = inspectFile(file);
  const { store, close } = openSqliteEventStore({ file });
  const { faults } = await verifyLog(store, kept);
  await close();
  return [...inspected, ...faults];
};
