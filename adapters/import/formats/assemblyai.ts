import * as t from 'io-ts';
import type { DocumentParts, Spoken, Tally } from '../format.js';
import {
  TextOrNumber,
  decodeDocument,
  has,
  hasAny,
  jsonFormat,
  listed,
  messagesOf,
  messagesOfKind,
  object,
  valueAt,
} from '../json-format.js';
import { Milliseconds } from '../times.js';

const times = { text: t.string, start: Milliseconds, end: Milliseconds };
const Said = object(times, { speaker: t.string, channel: TextOrNumber });

/**
 * AssemblyAI's transcript: utterances if speaker labels were requested, otherwise words; times in milliseconds
 * (assemblyai.com/docs, "Transcript").
 */
export const assemblyAi = jsonFormat({
  name: 'assemblyai',
  recognises: (json) => has(json, 'status') && !has(json, 'result') && hasAny(json, 'words', 'utterances', 'audio_url'),
  codec: t.partial({ id: t.string, words: t.readonlyArray(Said), utterances: t.readonlyArray(Said) }),
  done: ['status', 'completed'],
  read: ({ id: recording, words = [], utterances = [] }) => {
    const kind = utterances.length === 0 ? 'words' : 'utterances';
    const pieces = kind === 'words' ? words : utterances;
    const spoken = listed(kind, pieces, ({ speaker = null, channel, start, end, text }, place) => {
      return { speaker, channel, start, end, text, place: kind === 'words' ? kind : place };
    });
    return { recording, rows: pieces.length, [kind]: spoken };
  },
});

const Words = t.readonlyArray(object(times, { speaker: t.string }));
const Final = t.partial({ text: t.string, words: Words });
const Turn = object(
  { turn_order: t.Int },
  { transcript: t.string, turn_is_formatted: t.boolean, speaker_label: t.string, words: Words },
);

/** The words of a final result. */
const wordsOf = (
  { words = [], text = '' }: t.TypeOf<typeof Final>,
  { label, place }: { readonly label?: string | undefined; readonly place: string },
  dropped: Tally,
): ReadonlyArray<Spoken> => {
  if (words.length === 0 && text !== '') dropped.add('result without words');
  return words.map(({ speaker = label, ...word }) => ({
    ...word,
    speaker: speaker === undefined || speaker === 'UNKNOWN' ? null : speaker,
    place,
  }));
};

const live = (json: unknown, words: ReadonlyArray<Spoken>): DocumentParts => ({
  rows: messagesOf(json).length,
  words,
  missing: 'no words in a final result',
});

/**
 * The messages of AssemblyAI's streaming service, one a line or as a list: turns, of which each message repeats what was
 * heard so far, the last one formatted; times in milliseconds (assemblyai.com/docs, "Message sequence").
 */
export const assemblyAiStreaming = jsonFormat({
  name: 'assemblyai',
  recognises: (json) =>
    messagesOf(json).some((message) => valueAt(message, 'type') === 'Turn' && has(message, 'turn_order')),
  codec: t.unknown,
  read: (json, { dropped }) => {
    const turns = new Map<number, t.TypeOf<typeof Turn> & { readonly place: string }>();
    for (const { message, place } of messagesOfKind(json, 'type', 'Turn', dropped)) {
      const turn = decodeDocument(Turn, message, place);
      const before = turns.get(turn.turn_order);
      if (before !== undefined) dropped.add('interim result');
      if (before?.turn_is_formatted !== true || turn.turn_is_formatted === true)
        turns.set(turn.turn_order, { ...turn, place });
    }
    const words = [...turns.values()].flatMap(({ words: said = [], transcript: text = '', speaker_label, place }) =>
      wordsOf({ words: said, text }, { label: speaker_label, place }, dropped),
    );
    return live(json, words);
  },
});

/** The messages of AssemblyAI's older realtime service: final transcripts without speakers (npm `assemblyai`, `FinalTranscript`). */
export const assemblyAiRealtime = jsonFormat({
  name: 'assemblyai',
  recognises: (json) => messagesOf(json).some((message) => valueAt(message, 'message_type') === 'FinalTranscript'),
  codec: t.unknown,
  read: (json, { dropped }) => {
    const finals = messagesOfKind(json, 'message_type', 'FinalTranscript', dropped);
    return live(
      json,
      finals.flatMap(({ message, place }) => wordsOf(decodeDocument(Final, message, place), { place }, dropped)),
    );
  },
});
