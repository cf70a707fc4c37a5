import { setTimeout } from 'node:timers/promises';
import { type HttpClient, httpClient } from './http-client.js';
import { adminKey, startServiceProcess } from './service-process.js';
import { shortLivedNodeOptions } from './processes.js';

/** A running service, and an administrator's client of it. */
export interface Running {
  readonly url: string;
  readonly admin: HttpClient;
}

/** What a service does when it is killed, and what must hold each time it is started again. */
interface Killing {
  readonly data_dir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to kill again, after this many kills. */
  readonly goesOn: (kills: number) => boolean;
  /** Puts the service under load. Returns what is to be awaited once it is killed. */
  readonly load: (service: Running, kills: number) => Promise<() => Promise<unknown>>;
  /** The longest time under load before the kill. */
  readonly longest_ms: number;
  /** What is wrong after the restart. */
  readonly judge: (service: Running, kills: number) => Promise<ReadonlyArray<string>>;
  readonly onKill?: ((kills: number) => void) | undefined;
}

export interface Killed {
  readonly kills: number;
  readonly violations: ReadonlyArray<string>;
}

/** Kills a service on one data folder with SIGKILL at a random moment under load, and starts it, again and again. */
export const killUnderLoad = async (killing: Killing): Promise<Killed> => {
  const { data_dir, env = {}, goesOn, load, longest_ms, judge, onKill } = killing;
  const start = async () => {
    const process = await startServiceProcess(data_dir, { env, node: shortLivedNodeOptions, patience_ms: 180_000 });
    return { process, url: process.url, admin: httpClient(process.url, adminKey) };
  };
  const violations: string[] = [];
  let service = await start();
  let kills = 0;
  while (goesOn(kills)) {
    const ended = await load(service, kills);
    await setTimeout(Math.random() * longest_ms);
    await service.process.kill();
    await ended();
    kills += 1;
    onKill?.(kills);
    service = await start();
    violations.push(...(await judge(service, kills)));
  }
  await service.process.stop();
  return { kills, violations };
};
