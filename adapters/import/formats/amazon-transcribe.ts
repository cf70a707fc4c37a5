import * as t from 'io-ts';
import { SecondsText } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { refuse } from '../imported.js';
import { decodeDocument, valueAt } from '../json.js';
import type { LabelledTurn, Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';

const Item = t.intersection([
  t.type({
    type: t.keyof({ pronunciation: null, punctuation: null }, 'pronunciation or punctuation'),
    alternatives: t.readonlyArray(t.type({ content: t.string })),
  }),
  t.partial({ start_time: SecondsText, end_time: SecondsText, speaker_label: t.string, channel_label: t.string }),
]);
const LabelledItem = t.type({ start_time: SecondsText, end_time: SecondsText, speaker_label: t.string });
const SpeakerSegment = t.intersection([
  t.type({ start_time: SecondsText, end_time: SecondsText }),
  t.partial({ speaker_label: t.string, items: t.readonlyArray(LabelledItem) }),
]);
const Channel = t.type({ channel_label: t.string, items: t.readonlyArray(Item) });
const Results = t.intersection([
  t.type({ items: t.readonlyArray(Item) }),
  t.partial({
    speaker_labels: t.partial({ segments: t.readonlyArray(SpeakerSegment) }),
    channel_labels: t.partial({ channels: t.readonlyArray(Channel) }),
  }),
]);
type Results = t.TypeOf<typeof Results>;
const Transcribe = t.intersection([t.type({ results: Results }), t.partial({ jobName: t.string, status: t.string })]);

type Items = ReadonlyArray<t.TypeOf<typeof Item>>;
type LabelOf = (item: Items[number]) => Pick<Spoken, 'speaker' | 'channel'>;

/** Words and punctuation. Punctuation has no time: it gets that of the previous word. */
const spokenOf = (items: Items, path: string, labelOf: LabelOf, dropped: Tally): ReadonlyArray<Spoken> => {
  const spoken: Spoken[] = [];
  for (const [index, item] of items.entries()) {
    const place = `${path}[${index}]`;
    const text = item.alternatives[0]?.content ?? '';
    const last = spoken.at(-1);
    if (item.type === 'punctuation') {
      if (last === undefined) dropped.add('punctuation before the first word');
      else spoken.push({ ...last, start: last.end, text, glued: true, place });
      continue;
    }
    const start = item.start_time ?? refuse(`${place}.start_time`, 'is missing');
    const end = item.end_time ?? refuse(`${place}.end_time`, 'is missing');
    spoken.push({ ...labelOf(item), start, end, text, place });
  }
  return spoken;
};

const turnsOf = ({ speaker_labels }: Results, dropped: Tally): ReadonlyArray<LabelledTurn> =>
  (speaker_labels?.segments ?? []).flatMap(({ start_time: start, end_time: end, speaker_label = '' }, index) => {
    if (speaker_label === '') dropped.add('segment without a speaker label');
    const place = `results.speaker_labels.segments[${index}]`;
    return speaker_label === '' ? [] : [{ speaker: speaker_label, start, end, place }];
  });

/** The speaker labels by the start of a word: older jobs have them only in the segments. */
const labelsByTime = ({ speaker_labels }: Results): ReadonlyMap<number | undefined, string> =>
  new Map(
    (speaker_labels?.segments ?? []).flatMap(({ items = [] }) =>
      items.map(({ start_time, speaker_label }): [number, string] => [start_time, speaker_label]),
    ),
  );

const readSpoken = (results: Results, dropped: Tally): ReadonlyArray<Spoken> => {
  const labels = labelsByTime(results);
  const channels = results.channel_labels?.channels ?? [];
  const bySpeaker = (results.speaker_labels?.segments ?? []).length > 0;
  if (channels.length > 0 && !bySpeaker)
    return channels.flatMap(({ channel_label, items }, index) => {
      const path = `results.channel_labels.channels[${index}].items`;
      return spokenOf(
        items,
        path,
        ({ speaker_label = null }) => ({ speaker: speaker_label, channel: channel_label }),
        dropped,
      );
    });
  return spokenOf(
    results.items,
    'results.items',
    ({ speaker_label, start_time, channel_label }) => ({
      speaker: speaker_label ?? labels.get(start_time) ?? null,
      channel: channel_label,
    }),
    dropped,
  );
};

/**
 * Amazon Transcribe's batch output, by speaker labels or by channels; times in seconds, as strings
 * (docs.aws.amazon.com/transcribe, "How it works: output").
 */
export const amazonTranscribe: JsonFormat = {
  name: 'amazon_transcribe',
  reads: 'json',
  recognises: (json) =>
    Array.isArray(valueAt(json, 'results', 'items')) && valueAt(json, 'results', 'transcripts') !== undefined,
  read: (json) => {
    const { results, jobName, status = 'COMPLETED' } = decodeDocument(Transcribe, json);
    if (status !== 'COMPLETED') refuse('status', `the job is ${JSON.stringify(status)}, not "COMPLETED"`);
    const dropped = new Tally();
    const spoken = readSpoken(results, dropped);
    const turns = turnsOf(results, dropped);
    return { recording: jobName, rows: results.items.length, speech: { grain: 'word', spoken, turns }, dropped };
  },
};
