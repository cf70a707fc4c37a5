import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { withErasureBarrier } from '../../adapters/event-store/sealed/erasures.js';
import type { AppendFailure, Appended, EventStore, NewEvent } from '../../application/ports/event-store.js';
import { until } from '../support/event-store/outcomes.js';
import { at } from '../support/values.js';

type Answer = E.Either<AppendFailure, Appended>;

const done: Answer = E.right({ revision: 1, position: '1' });
const lost: Answer = E.left({ _tag: 'StoreUnavailable', reason: 'lost' });

const write = (id: string): NewEvent => ({ id, type: 'FaceTracksRecorded.v1', data: {}, metadata: {} });
const erasure = (id: string): NewEvent => ({ id, type: 'MediumErased.v1', data: { at: at(1) }, metadata: {} });

/** A store that answers each append when told to. */
const answeredLater = () => {
  const sent = new Map<string, (answer: Answer) => void>();
  const append: EventStore['append'] = (_stream, _expected, events) => () =>
    new Promise((resolve) => sent.set(events[0]?.id ?? '', resolve));
  const answer = async (id: string, given: Answer): Promise<void> => {
    await until(`${id} was sent`, () => sent.has(id));
    sent.get(id)?.(given);
  };
  return { append, answer, isSent: (id: string): boolean => sent.has(id) };
};

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('the erasure of a medium', () => {
  it('waits for a write that waited for an earlier erasure, which failed', async () => {
    const { append, answer, isSent } = answeredLater();
    const guarded = withErasureBarrier(append, () => undefined);
    const first = guarded('video-v', 0, [erasure('first')])();
    await turns();
    const waiting = guarded('faceTracks-v', 'no_stream', [write('write')])();
    await turns();
    expect(isSent('write')).to.equal(false);
    await answer('first', lost);
    expect(await first).to.deep.equal(lost);
    await until('the write was sent', () => isSent('write'));
    const second = guarded('video-v', 0, [erasure('second')])();
    await turns();
    expect(isSent('second')).to.equal(false);
    await answer('write', done);
    expect(await waiting).to.deep.equal(done);
    await answer('second', done);
    expect(await second).to.deep.equal(done);
  });
});
