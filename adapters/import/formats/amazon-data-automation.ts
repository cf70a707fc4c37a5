import * as t from 'io-ts';
import { Milliseconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { decodeDocument, refuseDuplicates, valueAt } from '../json.js';
import { Tally } from '../tally.js';

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

/**
 * The standard output of Amazon Bedrock Data Automation for audio: segments by speaker, times in milliseconds
 * (docs.aws.amazon.com/bedrock, "bda-ouput-audio").
 */
export const amazonDataAutomation: JsonFormat = {
  name: 'amazon_data_automation',
  reads: 'json',
  recognises: (json) => Array.isArray(valueAt(json, 'audio_segments')),
  read: (json) => {
    const { audio_segments, metadata } = decodeDocument(DataAutomation, json);
    refuseDuplicates(
      audio_segments,
      ({ segment_index }) => segment_index,
      (index) => `audio_segments[${index}].segment_index`,
    );
    const dropped = new Tally();
    const spoken = audio_segments.flatMap(({ type = 'TRANSCRIPT', speaker, text, ...times }, index) => {
      if (type !== 'TRANSCRIPT') dropped.add(`segment of type ${type}`);
      const { start_timestamp_millis: start, end_timestamp_millis: end } = times;
      const place = `audio_segments[${index}]`;
      return type === 'TRANSCRIPT' ? [{ speaker: speaker?.speaker_label ?? null, start, end, text, place }] : [];
    });
    const speech = { grain: 'utterance', spoken } as const;
    return { recording: metadata?.s3_key, rows: audio_segments.length, speech, dropped };
  },
};
