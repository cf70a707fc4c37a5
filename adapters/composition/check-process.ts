import { existsSync, statSync } from 'node:fs';

/*
 * A program that prints what is wrong with a data file: `open-log`, `log` or `read-models`, and the file. It is a
 * process of its own because libsql ends the process that reads a damaged schema: this one, and not the service.
 */

/** SQLite removes the write-ahead log when the last process closes the file properly. */
const endedUncleanly = (file: string): boolean => existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0;

const damageOf = async (what: string, file: string): Promise<string | null> => {
  if (what === 'read-models') {
    const { checkReadModelsFile } = await import('../read-models/check-file.js');
    const { layoutOf } = await import('../read-models/schema.js');
    const { projections } = await import('../../projections/projections.js');
    return checkReadModelsFile(file, layoutOf(projections));
  }
  const { damageOfFile } = await import('../event-store/sqlite/file.js');
  return damageOfFile(file, what === 'log' && endedUncleanly(file));
};

const [what = '', file = ''] = process.argv.slice(2);
process.stdout.write((await damageOf(what, file)) ?? '');
