import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonFormat } from '../document.js';
import { refuseDuplicates, valueAt } from '../json-document.js';
import { Seconds } from '../times.js';

const Speaker = t.type({ '@id': t.string });
const Segment = t.type({ start: Seconds, duration: Seconds, speaker: Speaker });
const Kaldi = t.type({
  segmentation: t.type({ speakers: t.readonlyArray(Speaker), segments: t.readonlyArray(Segment) }),
});

/** The speaker segmentation of the BBC's Kaldi service: turns only, times in seconds. */
export const bbcKaldi = jsonFormat(
  (json) => valueAt(json, 'segmentation', 'segments') !== undefined,
  Kaldi,
  ({ segmentation: { speakers, segments } }) => {
    const single = refuseDuplicates(
      speakers,
      (speaker) => speaker['@id'],
      (index) => `segmentation.speakers[${index}].@id`,
    );
    if (E.isLeft(single)) return single;
    const turns = segments.map(({ start, duration, speaker }, index) => ({
      speaker: speaker['@id'],
      start,
      end: start + duration,
      place: `segmentation.segments[${index}]`,
    }));
    return E.right({ rows: segments.length, speech: { grain: 'word', spoken: null, turns } });
  },
);
