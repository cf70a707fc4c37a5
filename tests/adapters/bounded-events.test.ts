import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { boundedEvents, longestEvent } from '../../adapters/event-store/bounded-events.js';
import { openTemporarySqlite } from '../support/event-store/temporary-sqlite.js';

describe('the bound of an event', () => {
  it('refuses an append with one that is longer, and takes one that is not', async () => {
    const { store, close } = await openTemporarySqlite();
    const bounded = boundedEvents(store);
    const event = (length: number) => ({
      id: crypto.randomUUID(),
      type: 'Something.v1',
      data: { text: 'x'.repeat(length) },
      metadata: {},
    });
    const refused = await bounded.append('a-1', 'no_stream', [event(1), event(longestEvent)])();
    expect(E.isLeft(refused) && refused.left._tag).to.equal('AppendTooLarge');
    expect(E.isRight(await bounded.append('a-1', 'no_stream', [event(longestEvent - 100)])())).to.equal(true);
    await close();
  });
});
