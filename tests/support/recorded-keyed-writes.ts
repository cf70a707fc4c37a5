import { commandContext } from '../../application/commands/context.js';
import type { World } from './application/world.js';
import { succeeded } from './event-store/outcomes.js';
import { accountId, instanceId } from './values.js';

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
  await handle('answered', { type: 'KeepAnswerPiece', process_id, write_id: 'w1', text: '{"name":"Zo' });
  const headers = { ETag: '"1"' };
  await handle('answered', {
    type: 'AnswerWrite',
    process_id,
    write_id: 'w1',
    text: 'ë"}',
    headers,
    secret_of: null,
    at: request().at,
  });
  await handle('released', claim('w2'));
  await handle('released', {
    type: 'ReleaseWrite',
    process_id,
    write_id: 'w2',
    may_be_written: true,
    at: request().at,
  });
};
