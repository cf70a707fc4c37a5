import { expect } from 'chai';
import { type EventSelection, everyEvent, unmatchableFilter } from '../../projections/event-selection.js';

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
