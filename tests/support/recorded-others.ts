import { commandContext } from '../../application/commands/context.js';
import { aggregate } from '../../application/commands/handle-command.js';
import { setRetention } from '../../application/use-cases/access/manage-access.js';
import { eraseAudio, eraseVideo } from '../../application/use-cases/erasure/erase.js';
import { type WantedTags, registerTagKey, writeTags } from '../../application/use-cases/tags/write-tags.js';
import { changeVideo } from '../../application/use-cases/videos/change-video.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import { auditSealEvents, auditSeal } from '../../domain/audit-seal/contract.js';
import type { EndWrite } from '../../domain/idempotency-key/contract.js';
import { isEventOf } from '../../domain/kernel/recorded-event.js';
import type { RealtimeCapacityCommand } from '../../domain/realtime-capacity/contract.js';
import type { RealtimeSessionCommand } from '../../domain/realtime-session/contract.js';
import { sha256 } from '../../projections/audit/event-hash.js';
import { audio, video } from './application/media.js';
import type { World } from './application/world.js';
import { succeeded } from './event-store/outcomes.js';
import { creation, takeSlot } from './realtime-events.js';
import { registryEntry, tagKey } from './tags.js';
import { accountId, audioId, videoId, instanceId, at } from './values.js';

/** An audio is erased, and then the video that it belonged to. */
export const recordErasures = async ({ app, request }: World): Promise<void> => {
  await succeeded(registerVideo(app, request(), video('gone')));
  await succeeded(registerAudio(app, request(), audio('gone', 'gone')));
  await succeeded(eraseAudio(app, request(), audioId('gone')));
  await succeeded(eraseVideo(app, request(), videoId('gone')));
  await succeeded(setRetention(app, request(), accountId('owner'), 30));
};

const isSeal = isEventOf(auditSealEvents);

/** A seal with arbitrary content. */
export const recordSeal = async ({ app, request }: World): Promise<void> => {
  const sealed = {
    position: '0000000000000002',
    events: 2,
    streams: 1,
    merkle_root: sha256('root'),
    order_hash: sha256('order'),
    covers: 'events' as const,
    blocks: { size: 1, hashes: [sha256('first'), sha256('order')] },
  };
  const seals = aggregate(app.store, auditSeal, isSeal);
  const command = { type: 'SealLog' as const, sealed, at: request().at };
  await succeeded(seals.handle('log', command, commandContext(app.ids, request())));
};

/** A key that is registered and changed, tags that are imported twice, and a user's tag that is removed. */
export const recordTags = async ({ app, request, pass }: World): Promise<void> => {
  const tagged = videoId('tagged');
  await succeeded(registerVideo(app, request(), video('tagged')));
  await succeeded(registerTagKey(app, request(), registryEntry('survey.likes', 'survey', 'number')));
  await succeeded(registerTagKey(app, request(), registryEntry('survey.likes', 'survey', 'string_list')));
  const write = (parts: Pick<WantedTags, 'by' | 'source' | 'tags'>) =>
    succeeded(writeTags(app, request(), tagged, { dry_run: false, ...parts }));
  const imported = { by: 'importer', source: 'importer.panel' } as const;
  await write({ ...imported, tags: [{ key: 'survey.likes', value: ['tea', 'Müsli'] }] });
  pass(1);
  await write({
    ...imported,
    tags: [
      { key: 'survey.likes', value: ['tea'] },
      { key: 'demo.age', value: '30-39' },
    ],
  });
  await write({ by: 'user', source: 'user.owner', tags: [{ key: 'label.todo', value: 'check' }] });
  pass(1);
  const at = request().at;
  await succeeded(changeVideo(app, request(), tagged, { type: 'RemoveTag', key: tagKey('label.todo'), at }));
};

/** A write with an idempotency key that is answered, in two pieces, and one that is released. */
export const recordKeyedWrites = async ({ app, request }: World): Promise<void> => {
  const handle = (id: string, command: Parameters<typeof app.idempotencyKeys.handle>[1]) =>
    succeeded(app.idempotencyKeys.handle(id, command, commandContext(app.ids, request())));
  const process_id = 'process';
  const worker = { instance_id: instanceId('instance'), process_id };
  const claim = (write_id: string) => ({
    type: 'ClaimWrite' as const,
    account_id: accountId('owner'),
    write_id,
    request_digest: 'digest',
    ...worker,
    at: request().at,
  });
  await handle('answered', claim('w1'));
  const end = (key: string, ending: EndWrite['ending']) => handle(key, { type: 'EndWrite', process_id, ending });
  await end('answered', { type: 'AnswerPieceKept', data: { write_id: 'w1', text: '{"name":"Zo' } });
  const answer = { write_id: 'w1', text: 'ë"}', headers: { ETag: '"1"' }, secret_of: null };
  await end('answered', { type: 'WriteAnswered', data: { ...answer, at: request().at } });
  await handle('released', claim('w2'));
  await end('released', { type: 'WriteReleased', data: { write_id: 'w2', may_be_written: true, at: request().at } });
};

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
