import { existsSync, statSync } from 'node:fs';
import { damageOfFile } from '../event-store/sqlite/file.js';

/*
 * A program that prints what is wrong with a log: its arguments are `open-log` or `log`, and the file. It is a process of
 * its own because libsql ends the process that reads a damaged schema: this one, and not the service.
 */

/** SQLite removes the write-ahead log when the last process closes the file properly. */
const endedUncleanly = (file: string): boolean => existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0;

const [what = '', file = ''] = process.argv.slice(2);
process.stdout.write(damageOfFile(file, what === 'log' && endedUncleanly(file)) ?? '');
