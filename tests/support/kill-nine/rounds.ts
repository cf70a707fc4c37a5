import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openLogOf, removeData } from '../engine.js';
import { until } from '../event-store/outcomes.js';
import { temporaryFolder } from '../event-store/temporary-sqlite.js';
import { httpClient } from '../http-client.js';
import { shortLivedNodeOptions } from '../short-lived-process.js';
import { adminKey, startServiceProcess } from '../service-process.js';
import { lostRequests } from './acknowledged.js';
import { wrongAnswers } from './answers.js';
import { type Acknowledged, sendOnly, registerPair, startClients } from './clients.js';
import { gaps, missingReactions, halfLinked, settledLog } from './log.js';

export interface Round {
  readonly round: number;
  /** Requests that were acknowledged in this round before the kill. */
  readonly acknowledged: number;
  /** Events in the log after it. */
  readonly events: number;
  readonly violations: ReadonlyArray<string>;
}

export interface KillNine {
  readonly rounds: number;
  readonly clients?: number;
  /** The longest time under load before the kill, from the second acknowledged answer on. */
  readonly longest_ms?: number;
  readonly onRound?: (round: Round) => void;
}

const media = ['shared-1', 'shared-2', 'shared-3'];
const patience_ms = 10_000;
/** In every n-th round the read models are deleted between kill and restart. */
const rebuildEvery = 5;

const prepare = async (data_dir: string): Promise<void> => {
  const service = await startServiceProcess(data_dir, { node: shortLivedNodeOptions });
  const send = sendOnly(httpClient(service.url, adminKey));
  for (const id of media) await registerPair(send, id);
  await service.kill();
};

/** Kills the service under load, restarts it, and checks that nothing is lost or incomplete. */
const killOnce = async (
  data_dir: string,
  round: number,
  known: Acknowledged[],
  after: string,
  { clients = 8, longest_ms = 1_000 }: KillNine,
): Promise<{ readonly result: Round; readonly head: string }> => {
  const service = await startServiceProcess(data_dir, { node: shortLivedNodeOptions });
  const load = startClients(httpClient(service.url, adminKey), clients, media);
  await until('two acknowledgements', () => load.acknowledged.length > 1);
  await setTimeout(Math.random() * longest_ms);
  await service.kill();
  await load.ended;
  known.push(...load.acknowledged);
  if (round % rebuildEvery === 0) rmSync(join(data_dir, 'read-models.db'));
  const restarted = await startServiceProcess(data_dir, { node: shortLivedNodeOptions });
  const opened = await openLogOf(data_dir);
  try {
    const log = await settledLog(opened.store, patience_ms);
    const violations = [
      ...load.faults,
      ...gaps(log),
      ...lostRequests(log, round % rebuildEvery === 0 ? known : load.acknowledged),
      ...missingReactions(log),
      ...halfLinked(log),
      ...(await wrongAnswers(httpClient(restarted.url, adminKey), log, after)),
    ];
    const head = log.events.at(-1)?.position ?? after;
    return {
      result: { round, acknowledged: load.acknowledged.length, events: log.events.length, violations },
      head,
    };
  } finally {
    await opened.close();
    await restarted.kill();
  }
};

/** Kills and restarts a real service on one data folder again and again. */
export const killNine = async (settings: KillNine): Promise<ReadonlyArray<Round>> => {
  const { path } = await temporaryFolder();
  const known: Acknowledged[] = [];
  const results: Round[] = [];
  let after = '';
  await prepare(path);
  for (let round = 1; round <= settings.rounds; round += 1) {
    const { result, head } = await killOnce(path, round, known, after, settings);
    results.push(result);
    settings.onRound?.(result);
    after = head;
  }
  await removeData(path);
  return results;
};
