import { setTimeout } from 'node:timers/promises';
import { httpClient } from '../../support/http-client.js';
import { notRun, peakMemoryOf } from '../../support/processes.js';
import type { ServiceProcess } from '../../support/service-process.js';

/** What a service under attack did meanwhile. */
export interface Watched {
  /** The longest wait for a health check or a read of another account in ms, without what the busy machine added. */
  readonly wait: number;
  readonly requests: number;
  readonly failures: number;
  /** Peak memory in MB. */
  readonly memory: number;
}

/** Asks a service, with the key of another account, for its health and a list by turns, until it is ended. */
export const watch = ({ url, pid }: Pick<ServiceProcess, 'url' | 'pid'>, key: string) => {
  const client = httpClient(url, key);
  const end = new AbortController();
  let [wait, requests, failures] = [0, 0, 0];
  const run = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const [start, before] = [performance.now(), notRun(pid) + notRun(process.pid)];
      const answer = await client.get(requests % 2 === 0 ? '/healthz' : '/v2/videos?limit=10').catch(() => null);
      if (end.signal.aborted) return;
      requests += 1;
      if (answer?.status !== 200) failures += 1;
      wait = Math.max(wait, performance.now() - start - (notRun(pid) + notRun(process.pid) - before));
      await setTimeout(10);
    }
  };
  void run();
  return {
    end: (): Watched => {
      end.abort();
      return { wait, requests, failures, memory: peakMemoryOf(pid) };
    },
  };
};
