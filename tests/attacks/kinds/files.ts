import { setTimeout } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../support/event-store/temporary-sqlite.js';
import { httpClient } from '../../support/http-client.js';
import { adminKey, startServiceProcess } from '../../support/service-process.js';
import type { Attack, Scene } from '../support/scene.js';

const program = fileURLToPath(new URL('../../../adapters/bin.js', import.meta.url));
/** An id is stored in plain text, also in a log of sealed events. */
const video_id = 'a-video-to-be-found';

/** Writes a byte that is invalid in UTF-8 into every copy of the id in a file. Returns the number of copies. */
const corruptIds = (file: string): number => {
  if (!existsSync(file)) return 0;
  const bytes = readFileSync(file);
  let found = 0;
  for (let at = bytes.indexOf(video_id); at >= 0; at = bytes.indexOf(video_id, at + 1)) {
    bytes[at + 3] = 0xff;
    found += 1;
  }
  writeFileSync(file, bytes);
  return found;
};

/** Runs the program to its end. Returns its exit code, or the signal that ended it. */
const ran = (args: ReadonlyArray<string>, data_dir: string): Promise<number | string> => {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: 'ignore',
    env: { ...process.env, DATA_DIR: data_dir, ADMIN_API_KEY: adminKey, PORT: '0', LOG_LEVEL: 'silent' },
  });
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? String(signal))));
};

const wroteVideo = async (data_dir: string): Promise<void> => {
  const service = await startServiceProcess(data_dir);
  await httpClient(service.url, adminKey).post('/v2/videos', { video_id });
  await service.stop();
};

const corruptFile = async (scene: Scene, name: string, data_dir: string): Promise<void> => {
  const found = [name, `${name}-wal`].reduce((sum, file) => sum + corruptIds(join(data_dir, file)), 0);
  scene.note(`${found} bytes damaged in ${name}`);
  if (found === 0) scene.fault(`nothing found to damage in ${name}`);
};

export const files: ReadonlyArray<Attack> = [
  {
    name: 'bytes-that-are-no-text',
    about: 'an invalid UTF-8 byte in a row of the read models and in a row of the log, while the service runs',
    run: async (scene) => {
      const { path, remove } = await temporaryFolder();
      await wroteVideo(path);
      await corruptFile(scene, 'read-models.db', path);
      const service = await startServiceProcess(path).catch(() => null);
      if (service === null) scene.fault('the service does not start with such read models');
      else {
        const ask = () => httpClient(service.url, adminKey).get(`/v2/videos/${video_id}`);
        let { status, text } = await ask();
        // The damage may be noticed by the request; the next ones wait for the rebuild.
        for (let left = 20; status === 503 && left > 0; left -= 1) {
          await setTimeout(100);
          ({ status, text } = await ask());
        }
        if (status !== 200 || !text.includes(video_id)) scene.fault(`the read models were not repaired: ${status}`);
        await service.stop();
        if ((await service.ended) !== 0) scene.fault(`it ended with ${await service.ended}`);
      }
      await corruptFile(scene, 'events.db', path);
      const verified = await ran(['audit', 'verify'], path);
      if (verified !== 1) scene.fault(`audit verify of such a log ended with ${verified}`);
      const rebuilt = await ran(['read-models', 'rebuild'], path);
      if (rebuilt !== 0 && rebuilt !== 1) scene.fault(`read-models rebuild of such a log ended with ${rebuilt}`);
      await remove();
    },
  },
];
