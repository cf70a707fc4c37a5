import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { ImportError } from '../imported.js';
import { jsonFormat } from '../document.js';
import { errorIn, valueAt } from '../json-document.js';
import type { LabelledTurn, Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';
import { SecondsText } from '../times.js';

const Item = t.intersection([
  t.type({
    type: t.keyof({ pronunciation: null, punctuation: null }, 'pronunciation or punctuation'),
    alternatives: t.readonlyArray(t.type({ content: t.string })),
  }),
  t.partial({ start_time: SecondsText, end_time: SecondsText, speaker_label: t.string, channel_label: t.string }),
]);
const LabelledItem = t.type({ start_time: SecondsText, end_time: SecondsText, speaker_label: t.string });
const SpeakerSegment = t.intersection([
  t.type({ start_time: SecondsText, end_time: SecondsText, speaker_label: t.string }),
  t.partial({ items: t.readonlyArray(LabelledItem) }),
]);
const Channel = t.type({ channel_label: t.string, items: t.readonlyArray(Item) });
const Results = t.intersection([
  t.type({ items: t.readonlyArray(Item) }),
  t.partial({
    speaker_labels: t.type({ segments: t.readonlyArray(SpeakerSegment) }),
    channel_labels: t.type({ channels: t.readonlyArray(Channel) }),
  }),
]);
const Transcribe = t.intersection([t.type({ results: Results }), t.partial({ jobName: t.string, status: t.string })]);

type Items = ReadonlyArray<t.TypeOf<typeof Item>>;
type Results = t.TypeOf<typeof Results>;

const labelOf = (label: string | undefined): string | null => (label === undefined || label === '' ? null : label);

/** Words and punctuation. Punctuation has no time: it gets that of the previous word. */
const spokenOf = (
  items: Items,
  path: string,
  speakerOf: (item: Items[number]) => string | null,
): E.Either<ImportError, ReadonlyArray<Spoken>> => {
  const spoken: Spoken[] = [];
  for (const [index, item] of items.entries()) {
    const place = `${path}[${index}]`;
    const text = item.alternatives[0]?.content ?? '';
    const last = spoken.at(-1);
    if (item.type === 'punctuation') {
      if (last === undefined) continue;
      spoken.push({ ...last, start: last.end, text, glued: true, place });
      continue;
    }
    const { start_time: start, end_time: end } = item;
    if (start === undefined) return errorIn(`${place}.start_time`, 'is missing');
    if (end === undefined) return errorIn(`${place}.end_time`, 'is missing');
    spoken.push({ speaker: speakerOf(item), start, end, text, place });
  }
  return E.right(spoken);
};

const turnsOf = ({ speaker_labels }: Results, dropped: Tally): ReadonlyArray<LabelledTurn> | undefined =>
  speaker_labels?.segments.flatMap(({ start_time: start, end_time: end, speaker_label: speaker }, index) => {
    if (speaker === '') dropped.add('segment without a speaker label');
    return speaker === '' ? [] : [{ speaker, start, end, place: `results.speaker_labels.segments[${index}]` }];
  });

/** The speaker labels by the start of a word: older jobs have them only in the segments. */
const labelsByTime = ({ speaker_labels }: Results): ReadonlyMap<number, string> =>
  new Map(
    (speaker_labels?.segments ?? []).flatMap(({ items = [] }) =>
      items.map(({ start_time, speaker_label }): [number, string] => [start_time, speaker_label]),
    ),
  );

const readSpoken = (results: Results): E.Either<ImportError, ReadonlyArray<Spoken>> => {
  const labels = labelsByTime(results);
  if (results.channel_labels === undefined || results.speaker_labels !== undefined)
    return spokenOf(results.items, 'results.items', ({ speaker_label, start_time }) =>
      labelOf(speaker_label ?? (start_time === undefined ? undefined : labels.get(start_time))),
    );
  const spoken: Spoken[] = [];
  for (const [index, { channel_label, items }] of results.channel_labels.channels.entries()) {
    const path = `results.channel_labels.channels[${index}].items`;
    const channel = spokenOf(items, path, () => channel_label);
    if (E.isLeft(channel)) return channel;
    spoken.push(...channel.right);
  }
  return E.right(spoken);
};

/** Amazon Transcribe's batch output, by speaker labels or by channels; times in seconds, as strings. */
export const amazonTranscribe = jsonFormat(
  (json) => Array.isArray(valueAt(json, 'results', 'items')) && valueAt(json, 'results', 'transcripts') !== undefined,
  Transcribe,
  ({ results, jobName = null, status = 'COMPLETED' }) => {
    if (status !== 'COMPLETED') return errorIn('status', `the job is ${JSON.stringify(status)}, not "COMPLETED"`);
    const spoken = readSpoken(results);
    if (E.isLeft(spoken)) return spoken;
    const dropped = new Tally();
    const turns = turnsOf(results, dropped);
    const speech = { grain: 'word', spoken: spoken.right, ...(turns === undefined ? {} : { turns }) } as const;
    return E.right({ recording: jobName, rows: results.items.length, speech, dropped });
  },
);
