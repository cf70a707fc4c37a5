import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** The file to be written exists already. */
export class FileExists extends Error {
  override readonly name = 'FileExists';
  constructor(file: string) {
    super(`${file} exists already: choose another name, or add --force to replace it`);
  }
}

/**
 * Writes a file under a temporary name and renames it once it is complete, so that a failure leaves an existing file
 * unchanged. Throws `FileExists` if the file exists and `force` is not set, and an error if its folder does not exist.
 */
export const writeWhole = async <Result>(
  file: string,
  force: boolean,
  write: (part: string) => Promise<Result>,
): Promise<Result> => {
  if (!force && existsSync(file)) throw new FileExists(file);
  const folder = dirname(file);
  if (!existsSync(folder)) throw new Error(`the folder ${folder} does not exist`);
  const part = `${file}.part`;
  try {
    const result = await write(part);
    renameSync(part, file);
    return result;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
};
