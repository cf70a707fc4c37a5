import { expect } from 'chai';
import * as fc from 'fast-check';
import { renderTags, renderVideo } from '../../adapters/http/render-video.js';
import { videoViewAt } from '../support/record-at.js';
import { videoRegistered } from '../projections/facts.js';
import { at, fact, recorded } from '../projections/given.js';

/** The record of a video with this number of tags, all with one value. */
const recordWith = (count: number, value: unknown, parts: object = {}) => {
  const tags = Array.from({ length: count }, (_, index) => ({
    key: `vpm.k${index}`,
    category: 'provider',
    value,
    previous: null,
  }));
  const events = [videoRegistered(parts), fact('TagsWritten', { source: 'importer.a', tags, at: at(1) })];
  const record = videoViewAt(recorded(events.map((event) => ['video-v1', event] as const)))?.record;
  if (record === undefined) throw new Error('there is no video');
  return record;
};
const textOf = (json: Uint8Array | null): string => Buffer.from(json ?? []).toString();

describe('a video with many tags', () => {
  it('is rendered as the same JSON', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.boolean(),
          fc.array(fc.string()),
        ),
        fc.string(),
        (value, title) => {
          const json: unknown = JSON.parse(JSON.stringify(value));
          const record = recordWith(500, json, { title });
          for (const text of [textOf(renderVideo(record)), textOf(renderVideo(record))])
            expect(text).to.equal(JSON.stringify(record));
          expect(textOf(renderTags(record.tags))).to.equal(JSON.stringify({ tags: record.tags, next_cursor: null }));
        },
      ),
      { numRuns: 20 },
    ));

  it('is not rendered in advance if it has few tags', () => {
    const record = recordWith(499, 'x');
    expect([renderVideo(record), renderTags(record.tags)]).to.deep.equal([null, null]);
  });
});
