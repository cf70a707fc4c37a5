import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect } from 'chai';
import { JsonObject } from '../../domain/kernel/recorded-event.js';
import { eventHash } from '../../projections/audit/event-hash.js';
import { type EventSelection, everyEvent, unmatchableFilter } from '../../projections/event-selection.js';
import { explain } from '../../projections/audit/explain.js';
import { shortOrLong } from '../support/long-form.js';
import { eventOf, recordedLines } from '../support/recorded-events.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('video-1', 'FacesMatched.v1', 'a"b', 'a\\b', 'a\n', '\n', 'é', '\ud800', '\u2028', ''),
);
const toObject = (json: unknown): JsonObject => {
  if (JsonObject.is(json)) return json;
  throw new TypeError('no JSON object');
};
const object = fc.dictionary(fc.string(), fc.jsonValue()).map(toObject);

describe("an event's hash", () => {
  it('is SHA-256 of the JSON text that the audit page documents, whatever the names', () =>
    fc.assert(
      fc.property(
        fc.record({ stream: text, revision: fc.nat(), id: text, type: text, data: object, metadata: object }),
        fc.option(fc.stringMatching(/^[0-9a-f]{64}$/)),
        (event, previous) => {
          const { hash: _hash, ...metadata } = event.metadata;
          const { stream, revision, id, type, data } = event;
          const documented = JSON.stringify([stream, revision, id, type, data, metadata, previous]);
          expect(eventHash(event, previous)).to.equal(createHash('sha256').update(documented).digest('hex'));
        },
      ),
      { numRuns: shortOrLong(150, 500) },
    ));
});

describe('a filter of events', () => {
  const refusals: ReadonlyArray<readonly [Partial<EventSelection>, string, string]> = [
    [{ type: 'FacesMached' }, 'type', 'there is no event type FacesMached. Did you mean FacesMatched?'],
    [{ type: 'facesmatched' }, 'type', 'there is no event type facesmatched. Did you mean FacesMatched?'],
    [{ type: 'FacesMatched.v9' }, 'type', 'there is no event type FacesMatched.v9. Did you mean FacesMatched.v2?'],
    [{ category: 'vido' }, 'category', 'there are no vido streams. Did you mean video?'],
    [{ stream: 'adio-7' }, 'stream', 'there are no adio streams. Did you mean audio?'],
    [{ stream: 'vdeo' }, 'stream', 'there are no vdeo streams. Did you mean video?'],
    [
      { stream: 'video-7', category: 'audio' },
      'category',
      'the stream video-7 is not of the category audio, but video',
    ],
    [{ stream: 'video' }, 'stream', 'video is a category of streams: the name of a stream is video-<id>'],
    [{ hide: 'bookkeeping', category: 'idempotencyKey' }, 'hide', 'bookkeeping is all that the other filters select'],
    [{ hide: 'bookkeeping', type: 'WriteClaimed' }, 'hide', 'bookkeeping is all that the other filters select'],
    [{ category: 'audio', type: 'FacesMatched' }, 'type', 'FacesMatched is in no audio stream, but in video streams'],
    [
      { stream: 'account-7', type: 'MediumErased' },
      'type',
      'MediumErased is in no account stream, but in video, audio, realtimeSession streams',
    ],
  ];
  for (const [given, field, message] of refusals)
    it(`that nothing meets is named, with the nearest value: ${JSON.stringify(given)}`, () =>
      expect(unmatchableFilter({ ...everyEvent, ...given })).to.deep.equal({ field, message }));

  const possible: ReadonlyArray<Partial<EventSelection>> = [
    {},
    { type: 'FacesMatched', stream: 'video-7', category: 'video' },
    { type: 'FacesMatched.v1' },
    { type: 'FacesMatched.v2' },
    { category: 'idempotencyKey' },
    { hide: 'bookkeeping', category: 'video', type: 'FacesMatched' },
    { stream: 'matchRun-none', actor: 'nobody', request_id: 'none' },
  ];
  for (const given of possible)
    it(`that an event could meet is none of these: ${JSON.stringify(given)}`, () =>
      expect(unmatchableFilter({ ...everyEvent, ...given })).to.equal(null));
});

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
