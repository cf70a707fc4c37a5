import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import { hashChain } from '../../adapters/event-store/hash-chain.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { verifyLog } from '../../application/audit/verify-log.js';
import type { EventStore, ExpectedRevision, NewEvent } from '../../application/ports/event-store.js';
import { eventHash, hashOf } from '../../projections/audit/event-hash.js';
import { newEvent, newEvents } from '../support/event-store/events.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { failed, succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { shortOrLong } from '../support/long-form.js';

/** Two instances on one log, each with its own hash chain. */
const openTwo = async () => {
  const { path, remove } = await temporaryFolder();
  const [one, other] = [0, 1].map(() => openSqliteEventStore({ file: join(path, 'events.db') }));
  if (one === undefined || other === undefined) throw new Error('no stores');
  return {
    plain: one.store,
    chains: [hashChain(one.store, { guards: true }), hashChain(other.store, { guards: true })],
    end: async () => {
      await one.close();
      await other.close();
      await remove();
    },
  };
};

const expectWhole = async (store: EventStore): Promise<void> => {
  const { faults, unhashed } = await verifyLog(store);
  expect(faults).to.deep.equal([]);
  expect(unhashed).to.equal(0);
};

/** Appends like a command handler: the next before the last is durable, and repetitions with other metadata. */
const step = fc.record({
  instance: fc.nat(1),
  stream: fc.nat(1),
  /** The distance from the end of the stream as the instance knows it. */
  off: fc.constantFrom(0, 0, 0, 0, -1, 1),
  count: fc.integer({ min: 1, max: 3 }),
  repeats: fc.constantFrom(false, false, true),
  waits: fc.boolean(),
});

interface Sent {
  readonly expected: ExpectedRevision;
  readonly ids: ReadonlyArray<string>;
}

const again = ({ ids }: Sent): ReadonlyArray<NewEvent> =>
  ids.map((id) => newEvent({ id, metadata: { recorded_at: randomUUID() } }));

const toExpected = (revision: number): ExpectedRevision => (revision < 0 ? 'no_stream' : revision);

describe('the hash chain', function () {
  this.timeout(120_000);

  it('ignores events that clients of the endpoint appended, and finds events of this service without a hash', async () => {
    const { store, close } = await openInMemory();
    const chain = hashChain(store, { guards: false });
    await succeeded(chain.append('video-1', 'no_stream', [newEvent()]));
    await succeeded(store.append('external-notes', 'no_stream', [newEvent()]));
    await succeeded(store.append('$persistentSubscriptionConfig', 'no_stream', [newEvent()]));
    await expectWhole(store);
    await succeeded(store.append('video-2', 'no_stream', [newEvent()]));
    expect((await verifyLog(store)).faults.map(({ kind, stream }) => [kind, stream])).to.deep.equal([
      ['hash_missing', 'video-2'],
    ]);
    await close();
  });

  it('stays valid, whatever two instances append at once', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { plain, chains, end } = await openTwo();
        try {
          const believed = new Map<string, number>();
          const sent = new Map<string, Sent>();
          const running: Array<Promise<unknown>> = [];
          for (const { instance, stream, off, count, repeats, waits } of steps) {
            const [name, key] = [`thing-${stream}`, `${instance} ${stream}`];
            const last = sent.get(name);
            const revision = (believed.get(key) ?? -1) + off;
            const append: Sent =
              repeats && last !== undefined
                ? last
                : { expected: toExpected(revision), ids: newEvents(count).map(({ id }) => id) };
            sent.set(name, append);
            if (append !== last) believed.set(key, Math.max(revision, -1) + count);
            const answer = chains[instance]?.append(name, append.expected, again(append))();
            running.push(
              Promise.resolve(answer).then((found) => {
                if (found === undefined || E.isRight(found) || found.left._tag !== 'RevisionConflict') return;
                const { actual } = found.left;
                believed.set(key, actual === 'no_stream' ? -1 : actual);
              }),
            );
            if (waits) await Promise.all(running);
          }
          await Promise.all(running);
          await expectWhole(plain);
        } finally {
          await end();
        }
      }),
      { numRuns: shortOrLong(15, 60) },
    ));

  for (const guards of [true, false])
    it(`refuses an append that follows a failed one${guards ? '' : ', without guards'}`, async () => {
      const { plain, chains, end } = await openTwo();
      const [one, other] = guards ? chains : chains.map(() => hashChain(plain, { guards }));
      if (one === undefined || other === undefined) throw new Error('no chains');
      await succeeded(one.append('thing-1', 'no_stream', [newEvent()]));
      await succeeded(other.append('thing-1', 0, [newEvent()]));
      const [late, next] = await Promise.all([
        one.append('thing-1', 0, [newEvent()])(),
        one.append('thing-1', 1, [newEvent()])(),
      ]);
      expect(E.isLeft(late)).to.equal(true);
      expect(next).to.deep.equal(
        E.left({ _tag: 'RevisionConflict', stream: 'thing-1', expected: 1, actual: 1, other_history: true }),
      );
      await succeeded(one.append('thing-1', 1, [newEvent()]));
      await expectWhole(plain);
      await end();
    });

  it('continues where another instance, or an earlier version without hashes, left off', async () => {
    const { plain, chains, end } = await openTwo();
    const [one, other] = chains;
    if (one === undefined || other === undefined) throw new Error('no chains');
    await succeeded(plain.append('old-1', 'no_stream', newEvents(2)));
    for (const [index, chain] of [one, other, one, one].entries())
      await succeeded(chain.append('old-1', index + 1, [newEvent()]));
    await succeeded(other.append('new-1', 'no_stream', newEvents(3)));
    const events = await succeeded(plain.read('old-1', -1, 10));
    expect(events.map((event) => hashOf(event) === null)).to.deep.equal([true, true, false, false, false, false]);
    const [, , first, second] = events;
    if (first === undefined || second === undefined) throw new Error('no events');
    expect(hashOf(first)).to.equal(eventHash(first, null));
    expect(hashOf(second)).to.equal(eventHash(second, hashOf(first)));
    const { faults, unhashed } = await verifyLog(plain);
    expect([faults, unhashed]).to.deep.equal([[], 2]);
    await end();
  });

  it('replaces a hash that an event already has', async () => {
    const { store, close } = await openInMemory();
    const chain = hashChain(store, { guards: false });
    await succeeded(chain.append('thing-1', 'no_stream', [newEvent({ metadata: { hash: 'x', a: 1 } })]));
    await expectWhole(store);
    await failed(chain.append('thing-1', 5, [newEvent()]));
    await close();
  });
});
