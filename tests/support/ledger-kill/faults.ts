import { randomUUID } from 'node:crypto';
import type Database from 'libsql';
import { openText, sealText } from '../../../adapters/event-store/sealed/sealed-data.js';
import { storedType } from '../../../domain/event-catalogue.js';
import { type Json, JsonObject } from '../../../domain/kernel/json.js';

/** Returns the encryption key with this name. */
export type KeyOf = (name: string) => Promise<Uint8Array>;

/** A fault that can be inserted into a log, and the violations that the checks must report for it. */
export interface LedgerFault {
  readonly insert: (db: Database.Database, keyOf: KeyOf) => void | Promise<void>;
  readonly expected: ReadonlyArray<RegExp>;
}

const one = (db: Database.Database, sql: string, ...values: ReadonlyArray<string | number>): ReadonlyArray<string> => {
  const row: unknown = db
    .prepare(sql)
    .raw(true)
    .get(...values);
  if (!Array.isArray(row)) throw new Error(`nothing is there for ${sql}`);
  return row.map(String);
};

const newest = (db: Database.Database, type: string, where = 'true'): number =>
  Number(
    one(db, `SELECT position FROM events WHERE type = ? AND ${where} ORDER BY position DESC`, storedType(type))[0],
  );

/** Appends a copy of the newest charge to its account's stream, with a correct balance. */
const chargeAgain = (db: Database.Database, run_id: string | null): void => {
  const position = newest(db, 'CreditsCharged');
  const [stream = '', amount, run] = one(
    db,
    `SELECT stream, data ->> 'amount', data ->> 'run_id' FROM events WHERE position = ?`,
    position,
  );
  const [balance] = one(
    db,
    `SELECT data ->> 'balance_after' FROM events WHERE stream = ? AND data ->> 'balance_after' IS NOT NULL
     ORDER BY revision DESC`,
    stream,
  );
  const balance_after = String(Math.round((Number(balance) - Number(amount)) * 1_000_000) / 1_000_000);
  db.prepare(
    `INSERT INTO events (position, stream, category, revision, event_id, type, data, metadata)
     SELECT (SELECT max(position) + 1 FROM events), stream, category,
       (SELECT max(revision) + 1 FROM events AS all_of WHERE all_of.stream = charge.stream), ?, type,
       json_set(data, '$.charge_id', ?, '$.run_id', ?, '$.balance_after', ?), metadata
     FROM events AS charge WHERE position = ?`,
  ).run(randomUUID(), randomUUID(), run_id ?? run ?? '', balance_after, position);
};

/** Removes an event and renumbers the events after it. */
const removeEvent = (db: Database.Database, position: number): void => {
  const [stream = '', revision = ''] = one(db, 'SELECT stream, revision FROM events WHERE position = ?', position);
  db.prepare('DELETE FROM events WHERE position = ?').run(position);
  db.prepare('UPDATE events SET revision = -revision WHERE stream = ? AND revision > ?').run(stream, Number(revision));
  db.prepare('UPDATE events SET revision = -revision - 1 WHERE stream = ? AND revision < 0').run(stream);
};

const change = (db: Database.Database, position: number, path: string, json: string): void =>
  void db.prepare('UPDATE events SET data = json_set(data, ?, json(?)) WHERE position = ?').run(path, json, position);

/** The same for an event with sealed data, which is sealed again. */
const changeSealed = async (
  db: Database.Database,
  keyOf: KeyOf,
  type: string,
  changed: Readonly<Record<string, Json>>,
): Promise<void> => {
  const position = newest(db, type);
  const [stream = '', id = '', sealed = '', name = ''] = one(
    db,
    `SELECT stream, event_id, data ->> 'sealed', data ->> 'key' FROM events WHERE position = ?`,
    position,
  );
  const [key, binding] = [await keyOf(name), { stream, id, type: storedType(type) }];
  const data = openText(sealed, key, binding);
  if (!JsonObject.is(data)) throw new Error(`${type} in ${stream} cannot be opened`);
  change(db, position, '$.sealed', JSON.stringify(sealText({ ...data, ...changed }, key, binding)));
};

/** One fault of each kind, for a log that contains grants, corrections, and runs of both modes. */
export const ledgerFaults: Readonly<Record<string, LedgerFault>> = {
  'a charge that was booked twice': {
    insert: (db) => chargeAgain(db, null),
    expected: [/is charged twice/, /run .*: not one charge/],
  },
  'a charge without a run': {
    insert: (db) => chargeAgain(db, 'no-run'),
    expected: [/charge of .*: no such run/],
  },
  'a charge that is lost': {
    insert: (db) => removeEvent(db, newest(db, 'CreditsCharged')),
    expected: [/run .*: not one charge/],
  },
  'a grant that is lost': {
    insert: (db) => removeEvent(db, newest(db, 'CreditsGranted')),
    expected: [/lk-.* is lost/],
  },
  'a grant of another amount': {
    insert: (db) => change(db, newest(db, 'CreditsGranted'), '$.amount', '"100.000001"'),
    expected: [/lk-.* is another amount/, /balance_after of/],
  },
  'a wrong balance after an entry': {
    insert: (db) => change(db, newest(db, 'CreditsCorrected'), '$.balance_after', '"1.25"'),
    expected: [/balance_after of lk-.* is 1\.25/, /the ledger comes to \d+, the balance is 1250000/],
  },
  'a charge of more than was held': {
    insert: (db) => {
      const position = newest(db, 'CreditsCharged');
      change(db, position, '$.amount', '"500"');
      change(db, position, '$.balance_after', '"-400"');
    },
    expected: [/creditAccount-payer-.: overdrawn to -400/],
  },
  'a charge of what was never held': {
    insert: (db) => removeEvent(db, newest(db, 'CreditsHeld')),
    expected: [/creditAccount-payer-.: .* was charged without a hold/],
  },
  'an answer that is not what was charged': {
    insert: (db, keyOf) => changeSealed(db, keyOf, 'NameInferenceAnswered', { results: [] }),
    expected: [/the answer is not that of its run/],
  },
  'a committing run that wrote no names': {
    insert: (db, keyOf) => changeSealed(db, keyOf, 'NamesInferred', { run_id: 'another' }),
    expected: [/run .*: not written as it should be/],
  },
};
