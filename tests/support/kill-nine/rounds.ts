import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openLogOf, removeData } from '../engine.js';
import { until } from '../event-store/outcomes.js';
import { temporaryFolder } from '../event-store/temporary-sqlite.js';
import { type Killed, killUnderLoad } from '../killed-service.js';
import { lostRequests } from './acknowledged.js';
import { wrongAnswers } from './answers.js';
import { type Acknowledged, type Load, sendOnly, registerPair, startClients } from './clients.js';
import { faultsOfLog, settledLog } from './log.js';

interface KillNine extends Killed {
  /** Requests that were acknowledged. */
  readonly acknowledged: number;
  /** Events in the log at the end. */
  readonly events: number;
}

const media = ['shared-1', 'shared-2', 'shared-3'];
const clients = 8;
const patience_ms = 10_000;
/** After every n-th kill the read models are deleted before the restart. */
const rebuildEvery = 5;

/** Kills a service while clients write, and checks that nothing that it acknowledged is lost or incomplete. */
export const killNine = async (
  kills: number,
  onKill?: (kills: number, acknowledged: number) => void,
): Promise<KillNine> => {
  const { path } = await temporaryFolder();
  const known: Acknowledged[] = [];
  let load: Load | null = null;
  let [head, events] = ['', 0];
  const isRebuilt = (kill: number): boolean => kill % rebuildEvery === 0;
  const killed = await killUnderLoad({
    data_dir: path,
    goesOn: (done) => done < kills,
    longest_ms: 1_000,
    onKill: (done) => onKill?.(done, known.length),
    load: async ({ admin }, done) => {
      if (done === 0) for (const id of media) await registerPair(sendOnly(admin), id);
      const { acknowledged, ended } = (load = startClients(admin, clients, media));
      await until('two acknowledgements', () => acknowledged.length > 1);
      return async () => {
        await ended;
        known.push(...acknowledged);
        if (isRebuilt(done + 1)) rmSync(join(path, 'read-models.db'));
      };
    },
    judge: async ({ admin }, kill) => {
      const opened = await openLogOf(path);
      try {
        const log = await settledLog(opened.store, patience_ms);
        const wrong = await wrongAnswers(admin, log, head);
        head = log.events.at(-1)?.position ?? head;
        events = log.events.length;
        const lost = lostRequests(log, isRebuilt(kill) ? known : (load?.acknowledged ?? []));
        return [...(load?.faults ?? []), ...faultsOfLog(log), ...lost, ...wrong];
      } finally {
        await opened.close();
      }
    },
  });
  await removeData(path);
  return { ...killed, acknowledged: known.length, events };
};
