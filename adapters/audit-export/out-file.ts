import { existsSync, renameSync, rmSync } from 'node:fs';

/** What was to be written is there already. */
export class FileExists extends Error {
  override readonly name = 'FileExists';
  constructor(file: string) {
    super(`${file} exists already: choose another name, or add --force to replace it`);
  }
}

/**
 * Writes a file under a name of its own and gives it its name once it is whole, so that a failure leaves what was
 * there before. Throws `FileExists` unless `force` is set.
 */
export const writeWhole = async <Result>(
  file: string,
  force: boolean,
  write: (part: string) => Promise<Result>,
): Promise<Result> => {
  if (!force && existsSync(file)) throw new FileExists(file);
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
