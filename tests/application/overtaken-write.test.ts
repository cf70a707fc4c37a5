import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { RequestContext } from '../../application/commands/context.js';
import { keyedWrites } from '../../application/idempotency/keyed-writes.js';
import { bookCredits } from '../../application/use-cases/credits/credits.js';
import { type World, world } from '../support/application/world.js';
import { credits, accountId, instanceId } from '../support/values.js';
import { openInMemory, failed, succeeded } from '../support/event-store/stores.js';

const kept = { stored: () => ({ body: '{}', headers: {}, secret_of: null }) };

/** Where work waits until it is let through. */
const gate = () => {
  let [arrive, open] = [constVoid, constVoid];
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const pass = (): Promise<void> => {
    arrive();
    return opened;
  };
  return { reached, open: () => open(), pass };
};

describe('a write with an idempotency key that another instance took over', () => {
  it('is answered by that one, although the slow one is refused meanwhile, and takes effect once', async () => {
    const { store, close } = await openInMemory();
    const [first, second] = [world(store, 'first'), world(store, 'second')];
    const keyOf = (place: World, instance: string) =>
      keyedWrites(place.app, instanceId(instance))(place.request(), 'key', 'digest');
    const [slow, taken] = [gate(), gate()];
    const notNow = pipe(
      TE.fromTask(slow.pass),
      TE.chainW(() => TE.left({ _tag: 'NotNow' as const })),
    );
    const refused = failed(keyOf(first, 'i').once({ run: () => notNow, ...kept }));
    await slow.reached;
    second.pass(31);
    const grant = (request: RequestContext) => bookCredits(second.app, request, accountId('owner'), credits('5'), 'x');
    const granting = (request: RequestContext) =>
      pipe(
        TE.fromTask(taken.pass),
        TE.chainW(() => grant(request)),
      );
    const served = succeeded(keyOf(second, 'j').once({ run: granting, ...kept }));
    await taken.reached;
    slow.open();
    expect(await refused).to.deep.equal({ _tag: 'NotNow' });
    taken.open();
    expect((await served).kind).to.equal('new');
    expect((await succeeded(keyOf(second, 'j').once({ run: grant, ...kept }))).kind).to.equal('stored');
    const { events } = await succeeded(store.readAll(null, { categories: ['creditAccount'] }, 9));
    expect(events).to.have.length(1);
    await close();
  });
});
