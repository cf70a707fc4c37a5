import { expect } from 'chai';
import { type OperationId, operations } from '../../adapters/runtime/operations.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, createMedia } from '../support/e2e/media.js';
import { triggerSuggest } from '../support/e2e/runs.js';
import { expectCode, expectMalformed, expectText } from '../support/e2e/refusal.js';
import type { HttpClient } from '../support/http-client.js';

/** Operations without a key. */
const open: ReadonlySet<string> = new Set<OperationId>(['service.health', 'service.readiness', 'sessions.health']);
/** A tag key that a video does not have is not an error, and an unknown entry of the registry is created. */
const anyId: ReadonlySet<string> = new Set<OperationId>(['tagRegistry.register']);

/** Every operation that needs a key, with unknown ids. */
const calls = Object.entries(operations)
  .filter(([operation]) => !open.has(operation))
  .map(([operation, place]) => {
    const [method = '', template = ''] = place.split(' ');
    return { operation, method, path: template.replaceAll(/\{\w+\}/g, 'none'), hasId: template.includes('{') };
  });

/** What every endpoint has in common (contract, Conventions: the order of checks). */
describe('every endpoint', () => {
  const api = useTestApi();
  let media: Media;
  before(async () => {
    media = await createMedia(api());
  });
  const answer = (client: HttpClient, { method, path }: (typeof calls)[number]) =>
    client.raw(method, path, method === 'GET' || method === 'DELETE' ? undefined : '{}');

  for (const call of calls)
    it(`answers 401 without a key: ${call.operation}`, async () =>
      expectText(await answer(api().anonymous, call), 401));

  for (const call of calls.filter(({ operation, hasId }) => hasId && !anyId.has(operation)))
    it(`answers 404 for an unknown id: ${call.operation}`, async () =>
      expect((await answer(api().admin, call)).status).to.equal(404));

  it('of undo validates its body, and is for the owner only', async () => {
    const run_id = await triggerSuggest(api(), media);
    for (const path of [
      `${media.video}/history/0000000000000001/revert`,
      `${media.audio}/history/0000000000000001/revert`,
      `${media.video}/match-runs/${run_id}/revert`,
    ]) {
      expectMalformed(await api().owner.post(path, { dry_run: 1 }), 'dry_run');
      expectCode(await api().stranger.post(path), 401, 'not_authorised');
      expectCode(await api().mediaWriter.post(path), 401, 'not_authorised');
      expectCode(await api().worker.post(path), 401, 'not_authorised');
    }
  });
});
