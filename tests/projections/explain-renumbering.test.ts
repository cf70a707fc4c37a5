import { expect } from 'chai';
import { explain } from '../../projections/audit/explain.js';
import { eventOf, recordedLines } from '../support/recorded-events.js';

describe('the explanation of a speaker', () => {
  it('follows the voice through a renumbering, and says so', () => {
    const events = recordedLines('recorded-events.v1.ndjson')
      .filter(({ stream }) => stream === 'audio-a')
      .map(({ stream, revision, id: event_id, type, data, metadata }) => ({
        position: String(revision).padStart(4, '0'),
        stream,
        revision,
        event_id,
        event: eventOf({ type, data }),
        metadata,
      }));
    expect(explain(events, 'speaker', 1).map(({ cause }) => cause)).to.deep.equal([
      'an analysis was written back',
      'an analysis was written back: speaker 1 is speaker 3 of the analysis before (2.5 s in common)',
    ]);
  });
});
