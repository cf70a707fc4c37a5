import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../../docs/examples/realtime/server.mjs', import.meta.url));

/** The server of the realtime example page, in a separate process, as users run it. */
export interface PageServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const addressFrom = async ({ stdout }: ChildProcess): Promise<string> => {
  if (stdout !== null)
    for await (const line of createInterface(stdout)) {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url !== undefined) return url;
    }
  throw new Error('the server of the page did not start');
};

/** Starts the server for a service and a key. */
export const startPageServer = async (service: string, key: string): Promise<PageServer> => {
  const env = { ...process.env, MEDIA_ANALYSIS_URL: service, MEDIA_ANALYSIS_API_KEY: key, PORT: '0' };
  const server = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return {
    url: await addressFrom(server),
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
};
