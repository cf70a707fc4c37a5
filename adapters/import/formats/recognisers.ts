import * as t from 'io-ts';
import { type Spoken, type Tally, withEnds } from '../format.js';
import {
  TextOrNumber,
  decodeDocument,
  has,
  hasAny,
  jsonFormat,
  labelText,
  listAt,
  listFormat,
  listed,
  messagesOf,
  messagesOfKind,
  numberedSpeaker,
  object,
  valueAt,
} from '../json-format.js';
import { Seconds, SecondsText } from '../times.js';

/* Deepgram */

const DeepgramWord = object(
  { word: t.string, start: Seconds, end: Seconds },
  { punctuated_word: t.string, speaker: t.Int },
);
const DeepgramChannel = t.partial({
  alternatives: t.readonlyArray(t.partial({ transcript: t.string, words: t.readonlyArray(DeepgramWord) })),
});
const DeepgramUtterance = object(
  { start: Seconds, end: Seconds, transcript: t.string },
  { speaker: t.Int, channel: t.Int },
);
const DeepgramResults = object(
  { channels: t.readonlyArray(DeepgramChannel) },
  { utterances: t.readonlyArray(DeepgramUtterance) },
);

/** The words of a channel at this place. */
const wordsOfChannel = ({ alternatives = [] }: t.TypeOf<typeof DeepgramChannel>, channel: number, place: string) =>
  listed(place, alternatives[0]?.words ?? [], ({ word, punctuated_word, speaker, start, end }) => {
    return { speaker: numberedSpeaker(speaker), channel, start, end, text: punctuated_word || word, place };
  });

/**
 * Deepgram's pre-recorded audio, with `diarize` or by channels: words, times in seconds (developers.deepgram.com,
 * "Pre-recorded audio"). Speaker numbers start again in each channel; without diarisation each of several channels is a
 * speaker. Documents whose words were left out may have utterances.
 */
export const deepgram = jsonFormat({
  name: 'deepgram',
  own: ['results.channels[]'],
  codec: object({ results: DeepgramResults }, { metadata: t.partial({ request_id: t.string }) }),
  read: ({ results: { channels, utterances: whole = [] }, metadata }) => {
    const words = channels.flatMap((one, channel) => wordsOfChannel(one, channel, `results.channels[${channel}]`));
    const recording = metadata?.request_id;
    if (words.length > 0) return { recording, rows: words.length, words };
    const utterances = listed('results.utterances', whole, (said, place) => {
      const { start, end, transcript: text, speaker, channel } = said;
      return { speaker: numberedSpeaker(speaker), channel, start, end, text, place };
    });
    return { recording, rows: whole.length, utterances, missing: 'no words and no utterances' };
  },
});

const DeepgramMessage = object(
  { channel: DeepgramChannel },
  { is_final: t.boolean, channel_index: t.readonlyArray(t.Int) },
);

/**
 * The messages of Deepgram's live service, one a line or as a list: final results have the words
 * (developers.deepgram.com, "Live audio").
 */
export const deepgramLive = jsonFormat({
  name: 'deepgram',
  recognises: (json) =>
    messagesOf(json).some(
      (message) => valueAt(message, 'type') === 'Results' && has(message, 'channel.alternatives[]'),
    ),
  codec: t.unknown,
  read: (json, { dropped }) => {
    const words = messagesOfKind(json, 'type', 'Results', dropped).flatMap(({ message, place }) => {
      const { channel, is_final = true, channel_index = [] } = decodeDocument(DeepgramMessage, message, place);
      const said = wordsOfChannel(channel, channel_index[0] ?? 0, `${place}.channel`);
      if (is_final && said.length === 0 && channel.alternatives?.[0]?.transcript) dropped.add('result without words');
      if (!is_final) dropped.add('interim result');
      return is_final ? said : [];
    });
    const byChannel = words.toSorted((a, b) => a.channel - b.channel);
    return { rows: messagesOf(json).length, words: byChannel, missing: 'no words in a final result' };
  },
});

/* ElevenLabs */

const ScribeWord = object({ text: t.string, type: t.string }, { start: Seconds, end: Seconds, speaker_id: t.string });
const ScribeTranscript = object({ words: t.readonlyArray(ScribeWord) }, { channel_index: t.number });
type ScribeTranscript = t.TypeOf<typeof ScribeTranscript>;

const isScribe = (json: unknown): boolean => has(json, 'language_code', 'words[].type');

const wordsOfScribe = ({ words, channel_index: channel }: ScribeTranscript, place: string, dropped: Tally) =>
  withEnds(
    words.flatMap(({ text, type, start, end, speaker_id: speaker = null }) => {
      if (type === 'spacing') return [];
      if (type === 'word' && start !== undefined) return [{ speaker, channel, start, end, text, place }];
      dropped.add(type === 'word' ? 'word without a time' : type.replace('_', ' '));
      return [];
    }),
  );

/**
 * ElevenLabs' Scribe, one transcript or one for each channel: words, times in seconds (npm `@elevenlabs/elevenlabs-js`,
 * `SpeechToTextWordResponseModel`).
 */
export const elevenLabs = jsonFormat({
  name: 'elevenlabs',
  recognises: (json) => isScribe(json) || listAt(json, 'transcripts').some(isScribe),
  codec: t.unknown,
  read: (json, { dropped }) => {
    const transcripts = listAt(json, 'transcripts');
    const words =
      transcripts.length === 0
        ? wordsOfScribe(decodeDocument(ScribeTranscript, json), 'words', dropped)
        : listed('transcripts', transcripts, (one, place) =>
            wordsOfScribe(decodeDocument(ScribeTranscript, one, place), `${place}.words`, dropped),
          ).flat();
    return { rows: words.length, words, missing: 'no word times: request them (timestamps_granularity)' };
  },
});

/* IBM Watson */

const WatsonAlternative = t.partial({ timestamps: t.readonlyArray(t.tuple([t.string, Seconds, Seconds])) });
const WatsonResult = t.partial({ final: t.boolean, alternatives: t.readonlyArray(WatsonAlternative) });
const WatsonLabel = t.type({ from: Seconds, speaker: t.number });

const isWatson = (result: unknown): boolean =>
  has(result, 'alternatives[]') && hasAny(result, 'final', 'alternatives[].timestamps');

/**
 * IBM Watson's Speech to Text: words, times in seconds; a word's speaker is the label that begins with it
 * (cloud.ibm.com/apidocs/speech-to-text, "Recognize audio").
 */
export const ibmWatson = jsonFormat({
  name: 'ibm_watson',
  recognises: (json) => listAt(json, 'results').some(isWatson),
  codec: object({ results: t.readonlyArray(WatsonResult) }, { speaker_labels: t.readonlyArray(WatsonLabel) }),
  read: ({ results, speaker_labels: labels = [] }, { dropped }) => {
    const speakers = new Map(labels.map(({ from, speaker }) => [from, speaker]));
    const words = results.flatMap(({ final = true, alternatives: [best] = [] }, index) => {
      if (!final) dropped.add('interim result');
      const place = `results[${index}]`;
      return (final ? (best?.timestamps ?? []) : []).map(([text, start, end]) => {
        return { speaker: numberedSpeaker(speakers.get(start)), start, end, text, place };
      });
    });
    return { rows: results.length, words, missing: 'no word times: request them (timestamps)' };
  },
});

/* Vosk */

const VoskWord = t.type({ word: t.string, start: Seconds, end: Seconds });
const voskAlternative = { result: t.readonlyArray(VoskWord), text: t.string };
const VoskResult = t.partial({
  ...voskAlternative,
  partial: t.string,
  alternatives: t.readonlyArray(t.partial(voskAlternative)),
});

/** Vosk's results, one or a list: words, times in seconds (github.com/alphacep/vosk-api). */
export const vosk = jsonFormat({
  name: 'vosk',
  recognises: (json) => messagesOf(json).some((one) => hasAny(one, 'result[].word', 'alternatives[].result[].word')),
  codec: t.unknown,
  read: (json, { dropped }) => {
    const isList = Array.isArray(json);
    const results = isList ? decodeDocument(t.readonlyArray(VoskResult), json) : [decodeDocument(VoskResult, json)];
    const words = results.flatMap(({ partial, alternatives = [], ...own }, index) => {
      const { result: said = [], text = '' } = alternatives[0] ?? own;
      if (partial !== undefined) dropped.add('interim result');
      else if (said.length === 0 && text !== '') dropped.add('result without words');
      const place = isList ? `[${index}].result` : 'result';
      return listed(place, said, ({ word: text, start, end }) => ({ speaker: null, start, end, text, place }));
    });
    return { rows: results.length, words };
  },
});

const GeckoTerm = object({ text: t.string, start: Seconds, end: Seconds }, { type: t.string });

/** What `vosk-transcriber` writes, and Gecko: monologues, times in seconds (github.com/gong-io/gecko). */
export const gecko = listFormat({
  name: 'vosk',
  list: 'monologues',
  own: ['monologues[].terms[]'],
  element: object({ terms: t.readonlyArray(GeckoTerm) }, { speaker: t.partial({ id: TextOrNumber, name: t.string }) }),
  pieces: 'words',
  read: ({ speaker: { id, name } = {}, terms }) => {
    const label = labelText(id ?? name);
    const speaker = name === undefined && label === 'unknown' ? null : label;
    return terms.map(({ text, start, end, type }, at) => {
      return { speaker, name, start, end, text, glued: at > 0 && type?.toUpperCase() === 'PUNCTUATION' };
    });
  },
});

/* Rev */

const RevElement = object(
  { type: t.keyof({ text: null, punct: null, unknown: null }, 'text, punct or unknown'), value: t.string },
  { ts: Seconds, end_ts: Seconds },
);
/** The editor's elements; type 0 is text. */
const RevSpan = object({ value: t.string }, { type: t.Int, ts: Seconds, endTs: Seconds });
const RevMonologue = object(
  { speaker: t.Int },
  {
    elements: t.readonlyArray(RevElement),
    spans: t.readonlyArray(RevSpan),
    speaker_info: t.partial({ display_name: t.string }),
  },
);
type RevMonologue = t.TypeOf<typeof RevMonologue>;
const RevSpeaker = object({ id: t.Int }, { name: t.string });

/** White space is an element of its own; without it, elements are joined without a space. */
const wordsOfRev = ({ speaker: id, elements = [], spans = [] }: RevMonologue, place: string, notes: Tally) => {
  const pieces = [
    ...elements.map(({ value, ts, end_ts: end }) => ({ value, ts, end })),
    ...spans.map(({ value, ts, endTs: end }) => ({ value, ts, end })),
  ];
  const speaker = `speaker ${id}`;
  const words: Spoken[] = [];
  const first = pieces.find(({ ts }) => ts !== undefined)?.ts ?? 0;
  let spaced = true;
  for (const { value, ts, end } of pieces) {
    const last = words.at(-1);
    const start = ts ?? last?.end ?? first;
    if (ts === undefined && /[\p{L}\p{N}]/u.test(value))
      notes.add('word without a time: placed after the previous word');
    const glued = last !== undefined && !spaced && !/^\s/.test(value);
    if (value.trim() !== '') words.push({ speaker, start, end: end ?? start, text: value, glued, place });
    spaced = /\s$/.test(value);
  }
  return words;
};

/**
 * Rev AI, Rev and Rev's editor: monologues of elements, times in seconds; a human transcript names its speakers
 * (docs.rev.ai, "Transcript"; the editor's `spans` as in revdotcom/speech-datasets).
 */
export const rev = jsonFormat({
  name: 'rev',
  own: ['monologues[].elements[]', 'monologues[].spans[]'],
  codec: object({ monologues: t.readonlyArray(RevMonologue) }, { speakers: t.readonlyArray(RevSpeaker) }),
  unique: ['speakers', 'id'],
  read: ({ monologues, speakers = [] }, { notes }) => {
    const named = [
      ...monologues.map(({ speaker: id, speaker_info }) => ({ id, name: speaker_info?.display_name ?? '' })),
      ...speakers,
    ];
    const names = new Map(
      named.flatMap(({ id, name }): [string, string][] => (name === undefined ? [] : [[`speaker ${id}`, name]])),
    );
    const words = listed('monologues', monologues, (one, place) => wordsOfRev(one, place, notes)).flat();
    return { rows: monologues.length, words, names };
  },
});

/* Speechmatics */

const spokenTypes = new Set(['word', 'punctuation', 'entity']);

/**
 * Speechmatics' JSON since version 2, of jobs and of the realtime API's `AddTranscript`; times in seconds
 * (docs.speechmatics.com, "Output").
 */
export const speechmatics = listFormat({
  name: 'speechmatics',
  list: 'results',
  recognises: (json) =>
    has(json, 'results[].start_time', 'results[].type') ||
    (has(json, 'results[]', 'format') && listAt(json, 'results').length === 0),
  element: object(
    { type: t.string, start_time: Seconds, end_time: Seconds },
    {
      channel: t.string,
      attaches_to: t.string,
      alternatives: t.readonlyArray(object({ content: t.string }, { speaker: t.string })),
    },
  ),
  pieces: 'words',
  read: ({ type, start_time: start, end_time: end, channel, attaches_to, alternatives = [] }, dropped) => {
    const [best] = alternatives;
    // `UU` is the label of an unknown speaker.
    const speaker = best?.speaker === 'UU' ? null : (best?.speaker ?? null);
    const glued = type === 'punctuation' && attaches_to !== 'next' && attaches_to !== 'none';
    if (spokenTypes.has(type)) return { speaker, channel, start, end, text: best?.content ?? '', glued };
    dropped.add(`result of type ${type}: not speech`);
    return [];
  },
  recording: ['job.id'],
});

const SpeechmaticsNamed = t.readonlyArray(t.type({ name: t.string, time: SecondsText, duration: SecondsText }));

/**
 * Speechmatics' first JSON: separate lists of words and turns, times as strings; a word belongs to the turn in which it
 * begins (docs.speechmatics.com, "V1 API").
 */
export const speechmaticsV1 = jsonFormat({
  name: 'speechmatics',
  recognises: (json) => has(json, 'words[].time', 'speakers[]'),
  codec: object({ words: SpeechmaticsNamed, speakers: SpeechmaticsNamed }, { job: t.partial({ id: TextOrNumber }) }),
  read: ({ words: given, speakers, job }) => {
    const turns = listed('speakers', speakers, ({ name: speaker, time, duration }, place) => {
      return { speaker, start: time, end: time + duration, place };
    });
    const sorted = turns.toSorted((a, b) => a.start - b.start);
    let current = -1;
    const words = given.map(({ name, time, duration }): Spoken => {
      while ((sorted[current + 1]?.start ?? Infinity) <= time + 1e-6) current += 1;
      const turn = sorted[current];
      const speaker = turn !== undefined && time < turn.end + 1e-6 ? turn.speaker : null;
      const glued = /^[.,?!;:]+$/.test(name);
      return { speaker, start: time, end: time + duration, text: name, glued, place: 'words' };
    });
    return { recording: labelText(job?.id), rows: words.length, words, turns };
  },
});

/* pyannoteAI */

const PyannoteTurn = object({ start: Seconds, end: Seconds }, { speaker: t.string, text: t.string });
const PyannoteOutput = t.partial({
  diarization: t.readonlyArray(PyannoteTurn),
  identification: t.readonlyArray(PyannoteTurn),
  turnLevelTranscription: t.readonlyArray(t.intersection([PyannoteTurn, t.type({ text: t.string })])),
});

/**
 * pyannoteAI's API: speaker turns (of an identification job those with the names of voiceprints), and the transcript if
 * the job has one. Times in seconds (docs.pyannote.ai).
 */
export const pyannoteJob = jsonFormat({
  name: 'pyannote_json',
  own: ['output.diarization', 'output.identification'],
  codec: object({ output: PyannoteOutput }, { jobId: t.string }),
  done: ['status', 'succeeded'],
  read: ({ output, jobId: recording }) => {
    const turnsIn = (name: keyof typeof output) =>
      listed(`output.${name}`, output[name] ?? [], ({ speaker = null, start, end, text = '' }, place) => {
        return { speaker, start, end, text, place };
      });
    const identified = turnsIn('identification');
    const turns = identified.length === 0 ? turnsIn('diarization') : identified;
    return { recording, rows: turns.length, utterances: turnsIn('turnLevelTranscription'), turns };
  },
});
