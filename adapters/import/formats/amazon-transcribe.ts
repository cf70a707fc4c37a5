import * as t from 'io-ts';
import { SecondsText, decodeDocument, has, jsonFormat, object } from '../json.js';
import { type LabelledTurn, type Spoken, type Tally, refuse } from '../format.js';

const Item = object(
  {
    type: t.keyof({ pronunciation: null, punctuation: null }, 'pronunciation or punctuation'),
    alternatives: t.readonlyArray(t.type({ content: t.string })),
  },
  { start_time: SecondsText, end_time: SecondsText, speaker_label: t.string, channel_label: t.string },
);
const LabelledItem = t.type({ start_time: SecondsText, end_time: SecondsText, speaker_label: t.string });
const SpeakerSegment = object(
  { start_time: SecondsText, end_time: SecondsText },
  { speaker_label: t.string, items: t.readonlyArray(LabelledItem) },
);
type SpeakerSegments = ReadonlyArray<t.TypeOf<typeof SpeakerSegment>>;
/** Items are decoded one by one: decoded ones are copies, and a document has many. */
const Items = t.readonlyArray(t.unknown, 'a list');
const Channel = t.type({ channel_label: t.string, items: Items });
const Results = object(
  { items: Items },
  {
    speaker_labels: t.partial({ segments: t.readonlyArray(SpeakerSegment) }),
    channel_labels: t.partial({ channels: t.readonlyArray(Channel) }),
  },
);

interface Origin {
  readonly channel?: string;
  /** The speaker labels by the start of a word: older jobs have them only in the segments. */
  readonly labels: ReadonlyMap<number, string>;
}

/** Words and punctuation at a path. Punctuation has no time: it gets that of the previous word. */
const wordsOf = (items: t.TypeOf<typeof Items>, path: string, { channel, labels }: Origin, dropped: Tally) => {
  const spoken: Spoken[] = [];
  for (const [index, json] of items.entries()) {
    const item = decodeDocument(Item, json, `${path}[${index}]`);
    const text = item.alternatives[0]?.content ?? '';
    const last = spoken.at(-1);
    if (item.type === 'punctuation') {
      if (last === undefined) dropped.add('punctuation before the first word');
      else spoken.push({ ...last, start: last.end, text, glued: true });
      continue;
    }
    const start = item.start_time ?? refuse(`${path}[${index}].start_time`, 'is missing');
    const end = item.end_time ?? refuse(`${path}[${index}].end_time`, 'is missing');
    const speaker = item.speaker_label ?? labels.get(start) ?? null;
    spoken.push({ speaker, channel: channel ?? item.channel_label, start, end, text, glued: false, place: path });
  }
  return spoken;
};

const turnsOf = (segments: SpeakerSegments, dropped: Tally): ReadonlyArray<LabelledTurn> =>
  segments.flatMap(({ start_time: start, end_time: end, speaker_label: speaker = '' }, index) => {
    if (speaker === '') dropped.add('segment without a speaker label');
    return speaker === '' ? [] : [{ speaker, start, end, place: `results.speaker_labels.segments[${index}]` }];
  });

const labelsByTime = (segments: SpeakerSegments): ReadonlyMap<number, string> =>
  new Map(
    segments.flatMap(({ items = [] }) =>
      items.map(({ start_time, speaker_label }): [number, string] => [start_time, speaker_label]),
    ),
  );

/**
 * Amazon Transcribe's batch output, by speaker labels or by channels; times in seconds, as strings
 * (docs.aws.amazon.com/transcribe, "How it works: output").
 */
export const amazonTranscribe = jsonFormat({
  name: 'amazon_transcribe',
  recognises: (json) => has(json, 'results.items[]', 'results.transcripts'),
  codec: object({ results: Results }, { jobName: t.string }),
  done: ['status', 'COMPLETED'],
  read: ({ results, jobName }, { dropped }) => {
    const { items, speaker_labels: { segments = [] } = {}, channel_labels: { channels = [] } = {} } = results;
    const labels = labelsByTime(segments);
    const words =
      channels.length === 0 || segments.length > 0
        ? wordsOf(items, 'results.items', { labels }, dropped)
        : channels.flatMap(({ channel_label: channel, items: heard }, index) =>
            wordsOf(heard, `results.channel_labels.channels[${index}].items`, { channel, labels }, dropped),
          );
    return { recording: jobName, rows: items.length, words, turns: turnsOf(segments, dropped) };
  },
});
