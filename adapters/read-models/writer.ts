import Database from 'libsql/promise';

/** A connection that writes on a thread of its own, so that neither rows nor a disk hold the service up. */
export interface Writer {
  /** Runs the statements in one transaction; keeps none of it and rejects when one fails. Not twice at once. */
  readonly write: (statements: ReadonlyArray<string>) => Promise<void>;
  readonly close: () => void;
}

const settings = [
  'PRAGMA busy_timeout = 2000',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA cache_size = -8192',
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864',
];

/** Does nothing when the failure has rolled back already. */
const rollBack = async (db: Database): Promise<void> => {
  try {
    await db.exec('ROLLBACK');
  } catch {
    return;
  }
};

export const openWriter = (file: string): Writer => {
  const db = new Database(file, {});
  let isSet = false;
  return {
    write: async (statements) => {
      if (!isSet) await db.exec(settings.join(';'));
      isSet = true;
      try {
        await db.exec(['BEGIN IMMEDIATE', ...statements, 'COMMIT'].join(';\n'));
      } catch (cause) {
        await rollBack(db);
        throw cause;
      }
    },
    close: () => db.close(),
  };
};

/** A text as it stands in a statement, where it may hold no character of number zero. */
export const literal = (text: string | null): string => {
  if (text === null) return 'NULL';
  return text.includes('\0')
    ? `CAST(x'${Buffer.from(text).toString('hex')}' AS TEXT)`
    : `'${text.replaceAll("'", "''")}'`;
};
