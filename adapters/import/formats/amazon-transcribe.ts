import * as t from 'io-ts';
import { SecondsText, decodeDocument, valueAt, Milliseconds, refuseDuplicates } from '../json.js';
import { type JsonFormat, type LabelledTurn, type Spoken, Tally, refuse } from '../format.js';
import type { SpeakerRole } from '../../../domain/kernel/media.js';

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
/** Items are decoded one by one: decoded ones are copies, and a document has many. */
const Items = t.readonlyArray(t.unknown, 'a list');
const Channel = t.type({ channel_label: t.string, items: Items });
const Results = t.intersection([
  t.type({ items: Items }),
  t.partial({
    speaker_labels: t.partial({ segments: t.readonlyArray(SpeakerSegment) }),
    channel_labels: t.partial({ channels: t.readonlyArray(Channel) }),
  }),
]);
type Results = t.TypeOf<typeof Results>;
const Transcribe = t.intersection([t.type({ results: Results }), t.partial({ jobName: t.string, status: t.string })]);

interface Origin {
  readonly channel?: string;
  /** The speaker labels by the start of a word: older jobs have them only in the segments. */
  readonly labels: ReadonlyMap<number, string>;
}

/** Words and punctuation at a path. Punctuation has no time: it gets that of the previous word. */
const spokenOf = (items: t.TypeOf<typeof Items>, path: string, { channel, labels }: Origin, dropped: Tally) => {
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

const turnsOf = ({ speaker_labels }: Results, dropped: Tally): ReadonlyArray<LabelledTurn> =>
  (speaker_labels?.segments ?? []).flatMap(({ start_time: start, end_time: end, speaker_label = '' }, index) => {
    if (speaker_label === '') dropped.add('segment without a speaker label');
    const place = `results.speaker_labels.segments[${index}]`;
    return speaker_label === '' ? [] : [{ speaker: speaker_label, start, end, place }];
  });

const labelsByTime = ({ speaker_labels }: Results): ReadonlyMap<number, string> =>
  new Map(
    (speaker_labels?.segments ?? []).flatMap(({ items = [] }) =>
      items.map(({ start_time, speaker_label }): [number, string] => [start_time, speaker_label]),
    ),
  );

const readSpoken = (results: Results, dropped: Tally): ReadonlyArray<Spoken> => {
  const labels = labelsByTime(results);
  const channels = results.channel_labels?.channels ?? [];
  if (channels.length === 0 || (results.speaker_labels?.segments ?? []).length > 0)
    return spokenOf(results.items, 'results.items', { labels }, dropped);
  return channels.flatMap(({ channel_label: channel, items }, index) =>
    spokenOf(items, `results.channel_labels.channels[${index}].items`, { channel, labels }, dropped),
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

const Role = t.keyof({ AGENT: null, CUSTOMER: null }, 'AGENT or CUSTOMER');
const Turn = t.intersection([
  t.type({
    ParticipantRole: Role,
    BeginOffsetMillis: Milliseconds,
    EndOffsetMillis: Milliseconds,
    Content: t.string,
  }),
  t.partial({ Id: t.string }),
]);
const CallAnalytics = t.intersection([
  t.type({ Transcript: t.readonlyArray(Turn) }),
  t.partial({ JobName: t.string, JobStatus: t.string }),
]);

const roles: ReadonlyMap<string, SpeakerRole> = new Map([
  ['AGENT', 'agent'],
  ['CUSTOMER', 'customer'],
]);

/**
 * Amazon Transcribe Call Analytics: turns of an agent and a customer, times in milliseconds
 * (docs.aws.amazon.com/transcribe, "Post-call analytics output").
 */
export const amazonCallAnalytics: JsonFormat = {
  name: 'amazon_call_analytics',
  reads: 'json',
  recognises: (json) => Array.isArray(valueAt(json, 'Transcript')),
  read: (json) => {
    const { Transcript, JobName, JobStatus = 'COMPLETED' } = decodeDocument(CallAnalytics, json);
    if (JobStatus !== 'COMPLETED') refuse('JobStatus', `the job is ${JSON.stringify(JobStatus)}, not "COMPLETED"`);
    refuseDuplicates(
      Transcript,
      ({ Id, BeginOffsetMillis, ParticipantRole }) => Id ?? `${ParticipantRole} ${BeginOffsetMillis}`,
      (index) => `Transcript[${index}].Id`,
    );
    const spoken = Transcript.map(({ ParticipantRole, BeginOffsetMillis, EndOffsetMillis, Content }, index) => ({
      speaker: ParticipantRole,
      start: BeginOffsetMillis,
      end: EndOffsetMillis,
      text: Content,
      place: `Transcript[${index}]`,
    }));
    return { recording: JobName, rows: spoken.length, speech: { grain: 'utterance', spoken, roles } };
  },
};

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
