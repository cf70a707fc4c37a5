import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as t from 'io-ts';

const program = join(fileURLToPath(new URL('../../../../', import.meta.url)), 'node_modules/@redocly/cli/bin/cli.js');

/** Runs redocly on files, without network access. */
export const redocly = <Said>(codec: t.Type<Said>, command: string, ...files: ReadonlyArray<string>): Said => {
  const said: unknown = JSON.parse(
    execFileSync(process.execPath, [program, command, ...files, '--format=json'], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64_000_000,
    }),
  );
  if (codec.is(said)) return said;
  throw new Error(`redocly ${command} answered ${JSON.stringify(said).slice(0, 500)}`);
};
