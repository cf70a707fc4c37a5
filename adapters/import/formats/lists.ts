import * as t from 'io-ts';
import type { JsonFormat } from '../format.js';
import { TextOrNumber, labelText, listFormat, numberedSpeaker, object, valueAt } from '../json-format.js';
import { Milliseconds, Seconds } from '../times.js';

const Label = t.partial({ label: TextOrNumber, name: t.string });

const Time = t.type({ relative: Seconds });

/** Formats of recognisers whose documents are one list. */
export const listFormats: ReadonlyArray<JsonFormat> = [
  /** The speaker segmentation of the BBC's Kaldi service (github.com/bbc/react-transcript-editor, `sample-data`). */
  listFormat({
    name: 'bbc_kaldi',
    list: 'segmentation.segments',
    element: object({ start: Seconds, duration: Seconds }, { speaker: t.type({ '@id': t.string }) }),
    pieces: 'turns',
    read: ({ start, duration, speaker }) => ({ speaker: speaker?.['@id'] ?? null, start, end: start + duration }),
    unique: ['segmentation.speakers', '@id'],
  }),
  /** What pyannote.audio 4 writes with `serialize()` (pyannote.github.io). */
  listFormat({
    name: 'pyannote_json',
    list: 'diarization',
    element: object({ start: Seconds, end: Seconds }, { speaker: t.string }),
    pieces: 'turns',
    read: ({ speaker = null, start, end }) => ({ speaker, start, end }),
  }),
  /** What pyannote.core writes with `Annotation.for_json()`: labelled tracks of segments (pyannote.github.io). */
  listFormat({
    name: 'pyannote_json',
    list: 'content',
    recognises: (json) => valueAt(json, 'pyannote') === 'Annotation',
    element: t.type({ segment: t.type({ start: Seconds, end: Seconds }), label: TextOrNumber }),
    pieces: 'turns',
    read: ({ segment: { start, end }, label }) => ({ speaker: String(label), start, end }),
    recording: ['uri'],
  }),
  /** NAVER's CLOVA Speech, long sentences (api.ncloud-docs.com, "CLOVA Speech"). */
  listFormat({
    name: 'clova_speech',
    list: 'segments',
    own: ['segments[].diarization.label'],
    element: object({ start: Milliseconds, end: Milliseconds, text: t.string }, { diarization: Label, speaker: Label }),
    pieces: 'utterances',
    read: ({ start, end, text, diarization, speaker }) => {
      return { speaker: labelText(diarization?.label ?? speaker?.label), name: speaker?.name, start, end, text };
    },
    done: ['result', 'COMPLETED', 'SUCCEEDED'],
  }),
  /** Gladia's result of a recording or a live session (docs.gladia.io, "Get the result of a job"). */
  listFormat({
    name: 'gladia',
    list: 'result.transcription.utterances',
    own: ['result.transcription'],
    element: object({ start: Seconds, end: Seconds, text: t.string }, { speaker: t.Int, channel: t.Int }),
    pieces: 'utterances',
    read: ({ speaker, channel, start, end, text }) => {
      return { speaker: numberedSpeaker(speaker), channel, start, end, text };
    },
    recording: ['file.filename', 'id'],
    done: ['status', 'done'],
    missing: 'no utterances',
  }),
  /** Azure's fast transcription (learn.microsoft.com, "fast transcription"). */
  listFormat({
    name: 'azure_speech',
    list: 'phrases',
    own: ['combinedPhrases[]', 'phrases[].offsetMilliseconds'],
    element: object(
      { offsetMilliseconds: Milliseconds, durationMilliseconds: Milliseconds, text: t.string },
      { speaker: t.number, channel: t.number },
    ),
    pieces: 'utterances',
    read: ({ offsetMilliseconds: start, durationMilliseconds, speaker, channel, text }) => {
      return { speaker: numberedSpeaker(speaker), channel, start, end: start + durationMilliseconds, text };
    },
  }),
  /** Amazon Transcribe Call Analytics, by role (docs.aws.amazon.com/transcribe, "Post-call analytics output"). */
  listFormat({
    name: 'amazon_call_analytics',
    list: 'Transcript',
    element: t.type({
      ParticipantRole: t.keyof({ AGENT: null, CUSTOMER: null }, 'AGENT or CUSTOMER'),
      BeginOffsetMillis: Milliseconds,
      EndOffsetMillis: Milliseconds,
      Content: t.string,
    }),
    pieces: 'utterances',
    read: ({ ParticipantRole: speaker, BeginOffsetMillis: start, EndOffsetMillis: end, Content: text }) => {
      return { speaker, start, end, text };
    },
    roles: new Map([
      ['AGENT', 'agent'],
      ['CUSTOMER', 'customer'],
    ]),
    recording: ['JobName'],
    done: ['JobStatus', 'COMPLETED'],
    unique: ['Transcript', 'Id'],
  }),
  /** The standard output of Amazon Bedrock Data Automation for audio (docs.aws.amazon.com/bedrock, "bda-ouput-audio"). */
  listFormat({
    name: 'amazon_data_automation',
    list: 'audio_segments',
    element: object(
      { start_timestamp_millis: Milliseconds, end_timestamp_millis: Milliseconds, text: t.string },
      { type: t.string, speaker: t.partial({ speaker_label: t.string }) },
    ),
    pieces: 'utterances',
    read: ({ start_timestamp_millis: start, end_timestamp_millis: end, text, speaker, type }, dropped) => {
      if (type === undefined || type === 'TRANSCRIPT')
        return { speaker: speaker?.speaker_label ?? null, start, end, text };
      dropped.add(`segment of type ${type}`);
      return [];
    },
    recording: ['metadata.s3_key'],
    unique: ['audio_segments', 'segment_index'],
  }),
  /** Soniox's tokens, which are parts of words (soniox.com/docs, "Get transcription transcript"). */
  listFormat({
    name: 'soniox',
    list: 'tokens',
    own: ['tokens[].start_ms'],
    element: object(
      { text: t.string },
      { start_ms: Milliseconds, end_ms: Milliseconds, speaker: TextOrNumber, translation_status: t.string },
    ),
    pieces: 'words',
    read: ({ text, start_ms: start, end_ms: end, speaker, translation_status }, dropped) => {
      const isTranslation = translation_status === 'translation';
      if (!isTranslation && start !== undefined) return { text, start, end, speaker: labelText(speaker) };
      dropped.add(isTranslation ? 'token of a translation' : 'token without a time');
      return [];
    },
    areParts: true,
    recording: ['id'],
  }),
  /**
   * Mistral's Voxtral with diarisation (docs.mistral.ai, "Audio transcriptions"). Without speakers it has Whisper's form,
   * and is read as that.
   */
  listFormat({
    name: 'mistral',
    list: 'segments',
    own: ['segments[].speaker_id'],
    element: object({ start: Seconds, end: Seconds, text: t.string }, { speaker_id: TextOrNumber }),
    pieces: 'words',
    read: ({ speaker_id, start, end, text }) => ({ speaker: labelText(speaker_id), start, end, text }),
  }),
  /** Recall.ai's transcript of a meeting: the words of participants (docs.recall.ai, "Download Schemas"). */
  listFormat({
    name: 'recall',
    list: '',
    own: ['[].words[].start_timestamp.relative'],
    element: object(
      { words: t.readonlyArray(object({ text: t.string, start_timestamp: Time }, { end_timestamp: Time })) },
      { participant: t.partial({ id: TextOrNumber, name: t.string }) },
    ),
    pieces: 'words',
    read: ({ participant: { id, name = '' } = {}, words }) => {
      // Who rejoins a meeting has another id with the same name.
      const speaker = name.trim() || (id === undefined ? null : `participant ${id}`);
      return words.map(({ text, start_timestamp, end_timestamp }) => {
        return { speaker, start: start_timestamp.relative, end: end_timestamp?.relative, text };
      });
    },
    missing: 'no words',
  }),
];
