import * as t from 'io-ts';
import { Seconds, decodeDocument, refuseDuplicates, valueAt } from '../json.js';
import type { JsonFormat } from '../format.js';

const Speaker = t.type({ '@id': t.string });
const Segment = t.intersection([t.type({ start: Seconds, duration: Seconds }), t.partial({ speaker: Speaker })]);
const Kaldi = t.type({
  segmentation: t.intersection([
    t.type({ segments: t.readonlyArray(Segment) }),
    t.partial({ speakers: t.readonlyArray(Speaker) }),
  ]),
});

/**
 * The speaker segmentation of the BBC's Kaldi service: turns only, times in seconds
 * (github.com/bbc/react-transcript-editor, `sample-data`).
 */
export const bbcKaldi: JsonFormat = {
  name: 'bbc_kaldi',
  reads: 'json',
  recognises: (json) => Array.isArray(valueAt(json, 'segmentation', 'segments')),
  read: (json) => {
    const { segments, speakers = [] } = decodeDocument(Kaldi, json).segmentation;
    refuseDuplicates(
      speakers,
      (speaker) => speaker['@id'],
      (index) => `segmentation.speakers[${index}].@id`,
    );
    const turns = segments.map(({ start, duration, speaker }, index) => ({
      speaker: speaker?.['@id'] ?? null,
      start,
      end: start + duration,
      place: `segmentation.segments[${index}]`,
    }));
    return { rows: segments.length, speech: { grain: 'word', spoken: null, turns } };
  },
};
