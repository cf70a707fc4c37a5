import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program, by the first of its names that is installed; null if none is. */
export const programOf = (...names: readonly string[]): string | null => {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const name of names)
    for (const folder of folders) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        continue;
      }
    }
  return null;
};

/** Skips a suite if a program that it needs is not installed; its tests are reported with the reason. */
export const needs = (context: Mocha.Context, found: string | null, what: string, how: string): void => {
  if (found !== null) return;
  for (const test of context.test?.parent?.tests ?? []) test.title += ` (left out: there is no ${what} here; ${how})`;
  context.skip();
};
