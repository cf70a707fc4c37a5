import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonFormat } from '../document.js';
import { refuseDuplicates, valueAt } from '../json-document.js';
import { Tally } from '../tally.js';
import { Milliseconds } from '../times.js';

const Segment = t.intersection([
  t.type({
    segment_index: t.number,
    start_timestamp_millis: Milliseconds,
    end_timestamp_millis: Milliseconds,
    text: t.string,
  }),
  t.partial({ type: t.string, speaker: t.partial({ speaker_label: t.string }) }),
]);
const DataAutomation = t.intersection([
  t.type({ audio_segments: t.readonlyArray(Segment) }),
  t.partial({ metadata: t.partial({ s3_key: t.string }) }),
]);

/** The standard output of Amazon Bedrock Data Automation for audio: segments by speaker, times in milliseconds. */
export const amazonDataAutomation = jsonFormat(
  (json) => Array.isArray(valueAt(json, 'audio_segments')),
  DataAutomation,
  ({ audio_segments, metadata }) => {
    const single = refuseDuplicates(
      audio_segments,
      ({ segment_index }) => segment_index,
      (index) => `audio_segments[${index}].segment_index`,
    );
    if (E.isLeft(single)) return single;
    const dropped = new Tally();
    const spoken = audio_segments.flatMap(({ type = 'TRANSCRIPT', speaker, text, ...times }, index) => {
      if (type !== 'TRANSCRIPT') dropped.add(`segment of type ${type}`);
      const { start_timestamp_millis: start, end_timestamp_millis: end } = times;
      const place = `audio_segments[${index}]`;
      return type === 'TRANSCRIPT' ? [{ speaker: speaker?.speaker_label ?? null, start, end, text, place }] : [];
    });
    const speech = { grain: 'utterance', spoken } as const;
    return E.right({ recording: metadata?.s3_key ?? null, rows: audio_segments.length, speech, dropped });
  },
);
