import * as t from 'io-ts';
import { Milliseconds, decodeDocument, valueAt, messagesOf } from '../json.js';
import { type JsonFormat, mapAndRelease, refuse, type DocumentParts, type Spoken, Tally } from '../format.js';

const Said = t.intersection([
  t.type({ text: t.string, start: Milliseconds, end: Milliseconds }),
  t.partial({ speaker: t.string, channel: t.union([t.string, t.number]) }),
]);
const AssemblyAi = t.intersection([
  t.type({ status: t.string }),
  t.partial({ id: t.string, words: t.readonlyArray(Said), utterances: t.readonlyArray(Said) }),
]);

/**
 * AssemblyAI's transcript: utterances if speaker labels were requested, otherwise words; times in milliseconds
 * (assemblyai.com/docs, "Transcript").
 */
export const assemblyAi: JsonFormat = {
  name: 'assemblyai',
  reads: 'json',
  recognises: (json) =>
    typeof valueAt(json, 'status') === 'string' &&
    valueAt(json, 'result') === undefined &&
    (valueAt(json, 'words') !== undefined ||
      valueAt(json, 'utterances') !== undefined ||
      valueAt(json, 'audio_url') !== undefined),
  read: (json) => {
    const { status, id, words = [], utterances = [] } = decodeDocument(AssemblyAi, json);
    if (status !== 'completed') refuse('status', `is ${JSON.stringify(status)}, not "completed"`);
    const [grain, pieces] = utterances.length === 0 ? (['word', words] as const) : (['utterance', utterances] as const);
    const spoken = mapAndRelease(pieces, ({ speaker = null, channel, start, end, text }, index) => {
      return { speaker, channel, start, end, text, place: grain === 'word' ? 'words' : `utterances[${index}]` };
    });
    return { recording: id, rows: spoken.length, speech: { grain, spoken } };
  },
};

const Word = t.intersection([
  t.type({ text: t.string, start: Milliseconds, end: Milliseconds }),
  t.partial({ speaker: t.string }),
]);
const Final = t.partial({ text: t.string, words: t.readonlyArray(Word) });
const Turn = t.intersection([
  t.type({ turn_order: t.Int }),
  t.partial({
    transcript: t.string,
    turn_is_formatted: t.boolean,
    speaker_label: t.string,
    words: t.readonlyArray(Word),
  }),
]);
type Turn = t.TypeOf<typeof Turn>;

/** The messages whose field `kind` has this value, with their places; others are counted. */
const messagesOfKind = (json: unknown, field: string, kind: string, dropped: Tally) =>
  messagesOf(json).flatMap((message, index) => {
    const found = valueAt(message, field);
    if (found === kind) return [{ message, place: `[${index}]` }];
    dropped.add(found === 'PartialTranscript' ? 'interim result' : 'message that is no result');
    return [];
  });

const wordsOf = (
  { words = [], text = '' }: t.TypeOf<typeof Final>,
  label: string | undefined,
  place: string,
  dropped: Tally,
): ReadonlyArray<Spoken> => {
  if (words.length === 0 && text !== '') dropped.add('result without words');
  return words.map(({ speaker = label, ...word }) => ({
    ...word,
    speaker: speaker === undefined || speaker === 'UNKNOWN' ? null : speaker,
    place,
  }));
};

const partsOf = (json: unknown, spoken: ReadonlyArray<Spoken>, dropped: Tally): DocumentParts => ({
  rows: messagesOf(json).length,
  speech: { grain: 'word', spoken, missing: 'no words in a final result' },
  dropped,
});

/**
 * The messages of AssemblyAI's streaming service, one a line or as a list: turns, of which each message repeats what was
 * heard so far, the last one formatted; times in milliseconds (assemblyai.com/docs, "Message sequence").
 */
export const assemblyAiStreaming: JsonFormat = {
  name: 'assemblyai',
  reads: 'json',
  recognises: (json) =>
    messagesOf(json).some(
      (message) => valueAt(message, 'type') === 'Turn' && valueAt(message, 'turn_order') !== undefined,
    ),
  read: (json) => {
    const dropped = new Tally();
    const turns = new Map<number, Turn & { readonly place: string }>();
    for (const { message, place } of messagesOfKind(json, 'type', 'Turn', dropped)) {
      const turn = decodeDocument(Turn, message, place);
      const before = turns.get(turn.turn_order);
      if (before !== undefined) dropped.add('interim result');
      if (before?.turn_is_formatted !== true || turn.turn_is_formatted === true)
        turns.set(turn.turn_order, { ...turn, place });
    }
    const spoken = [...turns.values()].flatMap(({ words = [], transcript: text = '', speaker_label, place }) =>
      wordsOf({ words, text }, speaker_label, place, dropped),
    );
    return partsOf(json, spoken, dropped);
  },
};

/** The messages of AssemblyAI's older realtime service: final transcripts without speakers (npm `assemblyai`, `FinalTranscript`). */
export const assemblyAiRealtime: JsonFormat = {
  name: 'assemblyai',
  reads: 'json',
  recognises: (json) => messagesOf(json).some((message) => valueAt(message, 'message_type') === 'FinalTranscript'),
  read: (json) => {
    const dropped = new Tally();
    const spoken = messagesOfKind(json, 'message_type', 'FinalTranscript', dropped).flatMap(({ message, place }) =>
      wordsOf(decodeDocument(Final, message, place), undefined, place, dropped),
    );
    return partsOf(json, spoken, dropped);
  },
};
