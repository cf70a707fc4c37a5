import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteMart } from '../../application/audit/replay-log.js';
import { type MartName, marts, type ColumnType } from '../../projections/audit/marts/catalogue.js';
import { FileExists } from './out-file.js';
import { type ParquetFile, type ParquetType, openParquet } from './parquet-file.js';

const types: Readonly<Record<ColumnType, ParquetType>> = {
  text: 'STRING',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
};

const isMart = (name: string): name is MartName => name in marts;
const names = Object.keys(marts).filter(isMart);

const openMart = (file: string, name: MartName): ParquetFile =>
  openParquet(
    file,
    Object.entries(marts[name].columns).map(([column, { type }]) => ({ name: column, type: types[type] })),
  );

/**
 * Writes every mart to a folder, one Parquet file each: all of them or none. Throws `FileExists` if one exists and may
 * not be overwritten.
 */
export const exportMarts = async <Result>(
  folder: string,
  force: boolean,
  replay: (write: WriteMart) => Promise<Result>,
): Promise<Result> => {
  const fileOf = (name: MartName): string => join(folder, `${name}.parquet`);
  const present = names.map(fileOf).find((file) => existsSync(file));
  if (present !== undefined && !force) throw new FileExists(present);
  mkdirSync(folder, { recursive: true });
  const partOf = (name: MartName): string => `${fileOf(name)}.part`;
  const files = new Map(names.map((name) => [name, openMart(partOf(name), name)]));
  try {
    const result = await replay(async (name, rows) => {
      for (const row of rows) await files.get(name)?.write(row);
    });
    for (const file of files.values()) await file.close();
    for (const name of names) renameSync(partOf(name), fileOf(name));
    return result;
  } catch (error) {
    for (const name of names) rmSync(partOf(name), { force: true });
    throw error;
  }
};
