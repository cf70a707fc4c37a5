import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import * as t from 'io-ts';
import Mocha from 'mocha';

/** Milliseconds. */
const timeToEnd = 10_000;

/** Resources that a test left open must not keep the process running for ever. */
const endSoon = (): void => {
  setTimeout(() => {
    process.stdout.write(`Ended with these left open: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit();
  }, timeToEnd).unref();
};

const WithStack = t.type({ stack: t.string });
const Written = t.type({
  version: t.number,
  file: t.string,
  sourceRoot: t.string,
  sources: t.array(t.string),
  names: t.array(t.string),
  mappings: t.string,
});

const sourceMapOf = (file: string): SourceMap | null => {
  const map = `${file}.map`;
  const written: unknown = existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')) : null;
  return Written.is(written) ? new SourceMap({ ...written, sourcesContent: [] }) : null;
};

/**
 * Replaces positions in compiled files by positions in their sources. With Node's own option for that every test takes
 * a seventh more processor time; here only failures do.
 */
export const inSources = (stack: string): string =>
  stack.replaceAll(
    /(?:file:\/\/)?(\/[^\s():]+\.js):(\d+):(\d+)/g,
    (place, file: string, line: string, column: string) => {
      const found = sourceMapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      return found !== undefined && 'originalSource' in found
        ? `${relative('', resolve(dirname(file), found.originalSource))}:${found.originalLine + 1}:${found.originalColumn + 1}`
        : place;
    },
  );

/** Mocha's report, with a final line of the counts. */
export default class PlainClosingLine extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('fail', (_, error: unknown) => {
      if (WithStack.is(error)) error.stack = inSources(error.stack);
    });
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      process.stdout.write(`${passes} passed, ${failures} failed, ${pending} skipped\n`);
      endSoon();
    });
  }
}
