import { expect } from 'chai';
import { refuseUnknown, refuseUnmatchable } from '../../adapters/cli/audit/selection.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { type EventSelection, everyEvent } from '../../projections/event-selection.js';
import { newEvent, openInMemory, succeeded } from '../support/event-store/stores.js';

describe('filters of audit on a log to which another program writes', () => {
  let store: EventStore;
  before(async () => {
    ({ store } = await openInMemory());
    await succeeded(store.append('order-7', 'no_stream', [newEvent({ type: 'OrderPlaced' })]));
  });
  const refusal = async (parts: Partial<EventSelection>): Promise<string> => {
    const wanted = { ...everyEvent, ...parts };
    try {
      await refuseUnmatchable(store, wanted);
      await refuseUnknown(store, wanted);
      return 'none';
    } catch (error) {
      return String(error);
    }
  };

  it('are refused only if nothing in the log meets them', async () => {
    expect(await refusal({ category: 'order' })).to.equal('none');
    expect(await refusal({ stream: 'order-7', type: 'OrderPlaced' })).to.equal('none');
    expect(await refusal({ type: 'OrderPlaced' })).to.equal('none');
    expect(await refusal({ type: 'OrderPlcaed' })).to.match(
      /^Error: there is no event type OrderPlcaed\. Did you mean /,
    );
    expect(await refusal({ stream: 'order-8' })).to.match(/^Error: there are no order streams/);
    expect(await refusal({ stream: 'video-8' })).to.equal('Error: there is no stream video-8');
  });
});
