import * as t from 'io-ts';
import { right } from './support.js';
import { type Said, split, type Talk } from './talks.js';

const seconds = (tenths: number): string => String(tenths / 10);
const millis = (tenths: number): string => String(tenths * 100);
const clock = (tenths: number): string =>
  `${new Date(Math.floor(tenths / 10) * 1_000).toISOString().slice(11, 19)}.${tenths % 10}00`;
const escaped = (plain: string): string => plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const timesOf = (start: number, end: number): Readonly<Record<string, string>> => ({
  start: seconds(start),
  end: seconds(end),
  length: seconds(end - start),
  startMs: millis(start),
  endMs: millis(end),
  lengthMs: millis(end - start),
});

const valuesOf = (names: ReadonlyArray<string>, { speaker, start, end, text }: Said, index: number) => ({
  ...timesOf(start, end),
  from: clock(start),
  to: clock(end),
  fromComma: clock(start).replace('.', ','),
  toComma: clock(end).replace('.', ','),
  name: names[speaker] ?? '',
  speaker: String(speaker),
  next: String(speaker + 1),
  letter: ['A', 'B'][speaker] ?? `S${speaker}`,
  role: speaker === 0 ? 'AGENT' : 'CUSTOMER',
  index: String(index),
  number: String(index + 1),
  text,
  xml: escaped(text),
});

const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name);

/** A document after a template: what stands in « » for each piece that is said, what stands in ‹ › in it for each word. */
const written = (template: string, { names, said }: Talk, separator: string): string =>
  template.replaceAll(/«(.*?)»/gs, (_, each: string) =>
    said
      .map((one, index) => {
        const values = valuesOf(names, one, index);
        const words = each.replaceAll(/‹(.*?)›/gs, (__, ofWord: string) =>
          split(one)
            .map(({ word, from, to }) => filled(ofWord, { ...values, ...timesOf(from, to), word }))
            .join(separator),
        );
        return filled(words, values);
      })
      .join(separator),
  );

export interface Writer {
  /** Whether the document has the names; else speakers have labels only. */
  readonly named: boolean;
  /** The format tells no speakers apart. */
  readonly anonymous?: true;
  /** Whether the document has the texts; else turns only. */
  readonly spoken: boolean;
  readonly write: (talk: Talk) => object | string;
}

interface JsonWriter extends Writer {
  readonly write: (talk: Talk) => object;
}

const json = (template: string, kind: Partial<Omit<Writer, 'write'>> = {}): JsonWriter => ({
  named: false,
  spoken: true,
  write: (talk) => right(t.object.decode(JSON.parse(written(template.replaceAll(/\n\s*/g, ''), talk, ',')))),
  ...kind,
});
const text = (template: string, kind: Partial<Writer> = {}): Writer => ({
  named: true,
  spoken: true,
  write: (talk) => written(template, talk, ''),
  ...kind,
});

const named = { named: true };
const anonymous = { anonymous: true } as const;
const unspoken = { spoken: false };
const vosk = json('[«{"result":[‹{"word":"{word}","start":{start},"end":{end},"conf":0.9}›]}»]', anonymous);

/** A document of a talk in each format. */
export const writers: Readonly<Record<string, Writer>> = {
  whisperx: json(`{"language":"en","segments":[
    «{"start":{start},"end":{end},"text":"{text}","speaker":"SPEAKER_0{speaker}","words":[]}»]}`),
  whisperx_words: json(`{"segments":[«{"start":{start},"end":{end},"text":"","words":[
    ‹{"word":"{word}","start":{start},"end":{end},"score":0.9,"speaker":"SPEAKER_0{speaker}"}›]}»],"word_segments":[]}`),
  deepgram: json(`{"metadata":{"request_id":"r","channels":1},"results":{"channels":[{"alternatives":[
    {"confidence":0.9,"words":[
    «‹{"word":"plain","punctuated_word":"{word}","start":{start},"end":{end},"speaker":{speaker}}›»]}]}]}}`),
  deepgram_words: json(`[«{"type":"Results","channel_index":[0,1],"is_final":true,"channel":{"alternatives":[
    {"words":[‹{"word":"{word}","start":{start},"end":{end},"speaker":{speaker}}›]}]}}»]`),
  assemblyai: json(`{"id":"t","status":"completed","words":[],"utterances":[
    «{"speaker":"{letter}","start":{startMs},"end":{endMs},"text":"{text}","confidence":0.9}»]}`),
  assemblyai_words: json(`[«{"type":"Turn","turn_order":{index},"turn_is_formatted":true,"speaker_label":"{letter}",
    "words":[‹{"text":"{word}","start":{startMs},"end":{endMs}}›]}»]`),
  assemblyai_realtime: json(
    `[{"message_type":"SessionBegins","session_id":"s"},«{"message_type":"PartialTranscript","text":"","words":[]},
    {"message_type":"FinalTranscript","text":"","words":[‹{"text":"{word}","start":{startMs},"end":{endMs}}›]}»]`,
    anonymous,
  ),
  amazon_call_analytics: json(`{"JobStatus":"COMPLETED","Transcript":[«{"Id":"t{index}","ParticipantRole":"{role}",
    "BeginOffsetMillis":{startMs},"EndOffsetMillis":{endMs},"Content":"{text}"}»]}`),
  amazon_data_automation: json(`{"audio_segments":[
    «{"segment_index":{index},"start_timestamp_millis":{startMs},"end_timestamp_millis":{endMs},"type":"TRANSCRIPT",
    "text":"{text}","speaker":{"speaker_label":"spk_{speaker}"}}»]}`),
  amazon_transcribe: json(`{"status":"COMPLETED","results":{"transcripts":[{}],"items":[
    «‹{"type":"pronunciation","start_time":"{start}","end_time":"{end}","speaker_label":"spk_{speaker}",
    "alternatives":[{"content":"{word}","confidence":"0.9"}]}›»]}}`),
  google_speech: json(`{"results":[«{"alternatives":[{"confidence":0.9,"words":[
    ‹{"word":"{word}","startOffset":"{start}s","endOffset":"{end}s","speakerLabel":"{next}"}›]}],
    "languageCode":"en-us"}»]}`),
  speechmatics: json(`{"format":"2.9","results":[«‹{"type":"word","start_time":{start},"end_time":{end},
    "alternatives":[{"content":"{word}","confidence":0.9,"speaker":"S{speaker}"}]}›»]}`),
  whisper_cpp: json(`{"transcription":[
    «{"offsets":{"from":{startMs},"to":{endMs}},"text":" {text}","speaker":"{speaker}"}»]}`),
  whisper_chunks: json(`{"speakers":[
    «{"speaker":"SPEAKER_0{speaker}","text":" {text}","timestamp":[{start},{end}]}»]}`),
  azure_speech: json(`{"phrases":[
    «{"speaker":{speaker},"offsetMilliseconds":{startMs},"durationMilliseconds":{lengthMs},"text":"{text}"}»]}`),
  elevenlabs: json(`{"language_code":"eng","words":[
    «‹{"text":"{word}","type":"word","start":{start},"end":{end},"speaker_id":"speaker_{speaker}"}›»]}`),
  gladia: json(`{"status":"done","result":{"transcription":{"utterances":[
    «{"start":{start},"end":{end},"text":"{text}","speaker":{speaker},"channel":0}»]}}}`),
  soniox: json(`{"tokens":[«‹{"text":" {word}","start_ms":{startMs},"end_ms":{endMs},"speaker":"{next}"}›»]}`),
  mistral: json(`{"segments":[«{"start":{start},"end":{end},"text":" {text}","speaker_id":"speaker_{speaker}",
    "type":"transcription_segment"}»]}`),
  ibm_watson: json(`{"result_index":0,"results":[
    «{"final":true,"alternatives":[{"confidence":0.9,"timestamps":[‹["{word}",{start},{end}]›]}]}»],
    "speaker_labels":[«‹{"from":{start},"to":{end},"speaker":{speaker},"final":true}›»]}`),
  vosk,
  vosk_lines: {
    ...vosk,
    write: (talk) =>
      Object.values(vosk.write(talk))
        .map((line) => `${JSON.stringify(line)}\n{"partial": ""}\n`)
        .join(''),
  },
  vosk_monologues: json(`{"schemaVersion":"2.0","monologues":[«{"speaker":{"id":"speaker_{speaker}"},
    "terms":[‹{"start":{start},"end":{end},"text":"{word}","type":"WORD"}›]}»]}`),
  rev: {
    ...json('', named),
    write: (talk) => ({
      speakers: talk.names.map((name, id) => ({ id, name })),
      ...json(`{"monologues":[«{"speaker":{speaker},"elements":[‹{"type":"text","value":"{word}","ts":{start},
        "end_ts":{end},"confidence":0.9},{"type":"punct","value":" "}›]}»]}`).write(talk),
    }),
  },
  azure_video_indexer: {
    ...json('', named),
    write: ({ names, said }) => {
      const ofSpeaker = (id: number) =>
        `{"id":${id},"name":"${names[id]}","instances":[«{"start":"{from}","end":"{to}"}»]}`;
      const speakers = names.map((_, id) =>
        written(ofSpeaker(id), { names, said: said.filter(({ speaker }) => speaker === id) }, ','),
      );
      return json(`{"name":"talk","videos":[{"state":"Processed","insights":{"transcript":[«{"id":{index},
        "text":"{text}","speakerId":{speaker},"instances":[{"start":"{from}","end":"{to}"}]}»],
        "speakers":[${speakers.join(',')}]}}]}`).write({ names, said });
    },
  },
  clova_speech: json(
    `{"result":"COMPLETED","segments":[«{"start":{startMs},"end":{endMs},"text":"{text}",
    "diarization":{"label":"{speaker}"},"speaker":{"label":"{speaker}","name":"{name}"}}»]}`,
    named,
  ),
  pyannote_json: json(
    `{"jobId":"j","status":"succeeded","output":{"identification":[
    «{"speaker":"{name}","start":{start},"end":{end}}»]}}`,
    { ...named, ...unspoken },
  ),
  bbc_kaldi: {
    ...json('', unspoken),
    write: (talk) => ({
      segmentation: {
        speakers: talk.names.map((_, id) => ({ '@id': `S${id}` })),
        ...json(`{"segments":[
          «{"@type":"Segment","start":{start},"duration":{length},"speaker":{"@id":"S{speaker}"}}»]}`).write(talk),
      },
    }),
  },
  recall: json(
    `[«{"participant":{"id":{speaker},"name":"{name}"},"words":[‹{"text":"{word}",
    "start_timestamp":{"relative":{start}},"end_timestamp":{"relative":{end}}}›]}»]`,
    named,
  ),
  rttm: text('«SPEAKER talk 1 {start} {length} <NA> <NA> {name} <NA> <NA>\n»', unspoken),
  stm: text('«talk 1 S{speaker} {start} {end} <o> {text}\n»', { named: false }),
  ctm: text('«‹talk {letter} {start} {length} {word} 0.9\n›»', { named: false }),
  webvtt: text('WEBVTT\n\n«{number}\n{from} --> {to}\n<v {name}>{xml}</v>\n\n»'),
  zoom_vtt: text('WEBVTT\n\n«{number}\n{from} --> {to}\n{name}: {xml}\n\n»'),
  srt: text('«{number}\n{fromComma} --> {toComma}\n{name}: {xml}\n\n»'),
  sbv: text('«{from},{to}\n{name}: {xml}\n\n»'),
  ass: {
    ...text(''),
    write: ({ names, said }) =>
      text(
        '[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Name, Text\n«Dialogue: 0,{from},{to},{name},{text}\n»',
      ).write({ names, said: said.map((one) => ({ ...one, text: one.text.replace(' ', String.raw`{\i1}\N`) })) }),
  },
  ttml: {
    ...text(''),
    write: (talk) => {
      const agents = talk.names.map(
        (name, id) => `<ttm:agent xml:id="a${id}"><ttm:name>${name}</ttm:name></ttm:agent>`,
      );
      return text(
        `<tt xmlns:ttm="m"><head>${agents.join('')}</head><body><div>«<p begin="{start}s" end="{to}" ttm:agent="a{speaker}">{xml}</p>\n»</div></body></tt>`,
      ).write(talk);
    },
  },
  praat_textgrid: {
    ...text(''),
    write: ({ names, said }) => {
      const tiers = names.map((name, id) => {
        const own = said.filter(({ speaker }) => speaker === id);
        const head = `"IntervalTier"\n"${name}"\n0\n9999\n${own.length}\n`;
        return written(`${head}«{start}\n{end}\n"{text}"\n»`, { names, said: own }, '');
      });
      return `File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n9999\n<exists>\n${tiers.length}\n${tiers.join('')}`;
    },
  },
};
