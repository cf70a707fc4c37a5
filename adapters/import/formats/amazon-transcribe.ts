import * as t from 'io-ts';
import {
  SecondsText,
  decodeDocument,
  has,
  jsonFormat,
  listed,
  object,
  Milliseconds,
  refuseDuplicates,
} from '../json.js';
import { type LabelledTurn, type Spoken, type Tally, refuse } from '../format.js';
import type { SpeakerRole } from '../../../domain/kernel/media.js';

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
  codec: object({ results: Results }, { jobName: t.string, status: t.string }),
  read: ({ results, jobName, status = 'COMPLETED' }, { dropped }) => {
    if (status !== 'COMPLETED') refuse('status', `the job is ${JSON.stringify(status)}, not "COMPLETED"`);
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

const Role = t.keyof({ AGENT: null, CUSTOMER: null }, 'AGENT or CUSTOMER');
const Turn = object(
  {
    ParticipantRole: Role,
    BeginOffsetMillis: Milliseconds,
    EndOffsetMillis: Milliseconds,
    Content: t.string,
  },
  { Id: t.string },
);

const idOf = ({ Id, ParticipantRole, BeginOffsetMillis }: t.TypeOf<typeof Turn>): string =>
  Id ?? `${ParticipantRole} ${BeginOffsetMillis}`;

const roles: ReadonlyMap<string, SpeakerRole> = new Map([
  ['AGENT', 'agent'],
  ['CUSTOMER', 'customer'],
]);

/**
 * Amazon Transcribe Call Analytics: turns of an agent and a customer, times in milliseconds
 * (docs.aws.amazon.com/transcribe, "Post-call analytics output").
 */
export const amazonCallAnalytics = jsonFormat({
  name: 'amazon_call_analytics',
  recognises: (json) => has(json, 'Transcript[]'),
  codec: object({ Transcript: t.readonlyArray(Turn) }, { JobName: t.string, JobStatus: t.string }),
  read: ({ Transcript, JobName, JobStatus = 'COMPLETED' }) => {
    if (JobStatus !== 'COMPLETED') refuse('JobStatus', `the job is ${JSON.stringify(JobStatus)}, not "COMPLETED"`);
    refuseDuplicates('Transcript', Transcript, 'Id', idOf);
    const utterances = listed('Transcript', Transcript, (turn, place) => ({
      speaker: turn.ParticipantRole,
      start: turn.BeginOffsetMillis,
      end: turn.EndOffsetMillis,
      text: turn.Content,
      place,
    }));
    return { recording: JobName, rows: utterances.length, utterances, roles };
  },
});

const Segment = object(
  {
    segment_index: t.number,
    start_timestamp_millis: Milliseconds,
    end_timestamp_millis: Milliseconds,
    text: t.string,
  },
  { type: t.string, speaker: t.partial({ speaker_label: t.string }) },
);

/**
 * The standard output of Amazon Bedrock Data Automation for audio: segments by speaker, times in milliseconds
 * (docs.aws.amazon.com/bedrock, "bda-ouput-audio").
 */
export const amazonDataAutomation = jsonFormat({
  name: 'amazon_data_automation',
  recognises: (json) => has(json, 'audio_segments[]'),
  codec: object({ audio_segments: t.readonlyArray(Segment) }, { metadata: t.partial({ s3_key: t.string }) }),
  read: ({ audio_segments: segments, metadata }, { dropped }) => {
    refuseDuplicates('audio_segments', segments, 'segment_index', ({ segment_index }) => segment_index);
    const utterances = segments.flatMap(({ type = 'TRANSCRIPT', speaker, text, ...times }, index) => {
      if (type !== 'TRANSCRIPT') dropped.add(`segment of type ${type}`);
      const { start_timestamp_millis: start, end_timestamp_millis: end } = times;
      const place = `audio_segments[${index}]`;
      return type === 'TRANSCRIPT' ? [{ speaker: speaker?.speaker_label ?? null, start, end, text, place }] : [];
    });
    return { recording: metadata?.s3_key, rows: segments.length, utterances };
  },
});
