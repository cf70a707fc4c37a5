import { commandContext } from '../../application/commands/context.js';
import type { RealtimeCapacityCommand } from '../../domain/realtime-capacity/contract.js';
import type { RealtimeSessionCommand } from '../../domain/realtime-session/contract.js';
import type { World } from './application/world.js';
import { succeeded } from './event-store/outcomes.js';
import { creation, takeSlot } from './realtime-events.js';
import { at } from './values.js';

/** A session that runs, is charged and ends, one whose slot expires, and one that is erased. */
export const recordRealtime = async ({ app, request, pass, now }: World): Promise<void> => {
  const context = () => commandContext(app.ids, request());
  const session = (id: string, command: RealtimeSessionCommand) =>
    succeeded(app.perform(request(), 'realtimeSessions', id, command, context()));
  const capacity = (command: RealtimeCapacityCommand) =>
    succeeded(app.perform(request(), 'realtimeCapacities', 'all', command, context()));
  await capacity(takeSlot('s1', { capacity: 2, seconds: now() }));
  await session('s1', creation('s1', { seconds: now() }));
  const token = { token_hash: 'another hash', token_expires_at: at(now() + 900), at: at(now()) };
  await session('s1', { type: 'IssueToken', ...token });
  await session('s1', { type: 'RecordNegotiation', at: at(now()) });
  await session('s1', { type: 'RecordMedia', state: 'connected', at: at(now()) });
  pass(10);
  await session('s1', { type: 'MeterSession', at: at(now()) });
  await session('s1', { type: 'RecordMedia', state: 'failed', at: at(now()) });
  pass(2.5);
  await session('s1', { type: 'EndSession', reason: 'requested', used_until: at(now()), at: at(now()) });
  await capacity(takeSlot('s2', { capacity: 1, seconds: now(), lapses: now() + 60 }));
  await session('s2', creation('s2', { seconds: now() }));
  pass(60);
  await capacity(takeSlot('s3', { capacity: 1, seconds: now() }));
  await session('s4', creation('s4', { seconds: now() }));
  await session('s4', { type: 'EndSession', reason: 'requested', used_until: null, at: at(now()) });
  await session('s4', { type: 'EraseSession', at: at(now()) });
};
