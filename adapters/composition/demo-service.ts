import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { defaults } from '../config/config.js';
import { importFiles } from '../import/import-files.js';
import { startService } from './service.js';
import { inPackage } from '../runtime/package-files.js';

/** A service on a free port with its own data, which is removed when it stops. */
export const startDemo = async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'media-analysis-demo-'));
  const key = randomUUID();
  const service = await startService({ ...defaults, port: 0, data_dir, admin_api_key: key, log_level: 'warn' });
  await service.firstAdminKey;
  return {
    url: service.url,
    key,
    stop: async (): Promise<void> => {
      await service.stop();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
};

const clip = (file: string): string =>
  relative('.', fileURLToPath(inPackage(`adapters/composition/demo-clip/${file}`)));

/** Imports the five minutes of a film that ship with the project (see the NOTICE file beside them). */
export const importClip = async (to: {
  readonly url: string;
  readonly key: string;
  readonly videoId: string;
  readonly audioId: string;
}): Promise<ReadonlyArray<string>> => {
  const imported = await importFiles({
    ...to,
    files: [clip('faces.csv'), clip('turns.rttm')],
    title: 'Five minutes of a film',
  });
  if (E.isRight(imported)) return imported.right.text;
  throw new Error(imported.left.messages.join('\n'));
};
