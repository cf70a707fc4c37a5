import * as t from 'io-ts';
import { Seconds, has, jsonFormat, listed, object, refuseDuplicates } from '../json.js';

const Speaker = t.type({ '@id': t.string });
const Segment = object({ start: Seconds, duration: Seconds }, { speaker: Speaker });

/**
 * The speaker segmentation of the BBC's Kaldi service: turns only, times in seconds
 * (github.com/bbc/react-transcript-editor, `sample-data`).
 */
export const bbcKaldi = jsonFormat({
  name: 'bbc_kaldi',
  recognises: (json) => has(json, 'segmentation.segments[]'),
  codec: t.type({
    segmentation: object({ segments: t.readonlyArray(Segment) }, { speakers: t.readonlyArray(Speaker) }),
  }),
  read: ({ segmentation: { segments, speakers = [] } }) => {
    refuseDuplicates('segmentation.speakers', speakers, '@id', (speaker) => speaker['@id']);
    const turns = listed('segmentation.segments', segments, ({ start, duration, speaker }, place) => {
      return { speaker: speaker?.['@id'] ?? null, start, end: start + duration, place };
    });
    return { rows: segments.length, turns };
  },
});
