import { setTimeout } from 'node:timers/promises';
import { shortLivedNodeOptions } from '../short-lived-process.js';
import { until } from '../event-store/outcomes.js';
import { temporaryFolder } from '../event-store/temporary-sqlite.js';
import { httpClient } from '../http-client.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../service-process.js';
import { type LedgerCheck, checkLedger } from './check-service.js';
import { type Deeds, type Payer, act } from './operations.js';
import { openPayers } from './payers.js';

export interface LedgerKill {
  readonly operations: number;
  readonly clients: number;
  /** The longest time under load before a kill. */
  readonly longest_ms: number;
  readonly onKill?: (kills: number, deeds: Deeds) => void;
}

export interface LedgerKillReport extends LedgerCheck {
  readonly kills: number;
}

/** A run that a kill cut off is given up after this and five seconds more. */
const env = { NAME_MODEL_TIMEOUT_SECONDS: '1' };

/** Every so many clients wait for keys that a kill cut off; all others go on. */
const patientEvery = 4;

/** Lets clients act until there were so many operations, or the service is gone. */
const load = (service: ServiceProcess, deeds: Deeds, payers: ReadonlyArray<Payer>, settings: LedgerKill) => {
  const admin = httpClient(service.url, adminKey);
  const client = async (_: unknown, number: number): Promise<void> => {
    const isLast = (): boolean => deeds.done >= settings.operations;
    while (!isLast() || deeds.unanswered.length > 0)
      try {
        await act(service.url, admin, deeds, payers, isLast() || number % patientEvery === 0);
      } catch {
        return;
      }
  };
  return Promise.all(Array.from({ length: settings.clients }, client));
};

/** Kills the service again and again under operations on credits, then holds the ledger to all that was answered. */
export const ledgerKill = async (settings: LedgerKill): Promise<LedgerKillReport> => {
  const { path, remove } = await temporaryFolder();
  const deeds: Deeds = { booked: [], inferences: [], unanswered: [], faults: [], done: 0 };
  let service = await startServiceProcess(path, { env, node: shortLivedNodeOptions });
  const payers = await openPayers(service.url);
  let kills = 0;
  while (deeds.done < settings.operations) {
    const before = deeds.done;
    const running = load(service, deeds, payers, settings);
    await until('the first operation', () => deeds.done > before);
    await setTimeout(Math.random() * settings.longest_ms);
    await service.kill();
    await running;
    kills += 1;
    settings.onKill?.(kills, deeds);
    service = await startServiceProcess(path, { env, node: shortLivedNodeOptions });
  }
  await load(service, deeds, payers, settings);
  const report = await checkLedger(path, service.url, deeds);
  await service.stop();
  await remove();
  return { ...report, kills };
};
