import { openEventLog } from '../../../adapters/composition/event-log.js';
import type { Config } from '../../../adapters/config/config.js';
import { systemIds } from '../../../adapters/runtime/ids.js';
import { toNewEvent } from '../../../application/commands/context.js';
import { commandContext, serviceRequest } from '../../../application/commands/context.js';
import { retentionActor } from '../../../application/processes/retention.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import { succeeded } from '../event-store/outcomes.js';
import { silentLog } from '../event-store/silent-log.js';

/** Erases a video but not its audio, as retention does if it is killed right after its first write. */
export const eraseVideoAlone = async (
  config: Config,
  videoId: string,
  audioId: string,
  at: Timestamp,
): Promise<void> => {
  const { store, close } = await openEventLog(config, silentLog);
  const stream = `video-${videoId}`;
  const data = { medium: 'video', owner_id: 'owner', linked: audioId, at };
  const context = commandContext(systemIds, serviceRequest(retentionActor, 'cut-off', at));
  const { length } = await succeeded(store.read(stream, -1, 1_000));
  await succeeded(store.append(stream, length - 1, [toNewEvent({ type: 'MediumErased', data }, context, 0, stream)]));
  await close();
};
