import * as t from 'io-ts';
import { Seconds, decodeDocument, refuseDuplicates, valueAt } from '../json.js';
import { type JsonFormat, type LabelledTurn, refuse } from '../format.js';

const Turn = t.intersection([t.type({ start: Seconds, end: Seconds }), t.partial({ speaker: t.string })]);
const SpokenTurn = t.intersection([Turn, t.type({ text: t.string })]);
const Turns = t.readonlyArray(Turn);
type Turns = t.TypeOf<typeof Turns>;

/** A job of pyannoteAI's API. */
const Job = t.intersection([
  t.type({
    output: t.partial({
      diarization: Turns,
      identification: Turns,
      turnLevelTranscription: t.readonlyArray(SpokenTurn),
    }),
  }),
  t.partial({ jobId: t.string, status: t.string }),
]);

const turnsOf = (turns: Turns, path: string): ReadonlyArray<LabelledTurn> =>
  turns.map(({ speaker = null, start, end }, index) => ({ speaker, start, end, place: `${path}[${index}]` }));

/**
 * pyannoteAI's API: speaker turns (of an identification job those with the names of voiceprints), and the transcript if
 * the job has one. Times in seconds (docs.pyannote.ai).
 */
export const pyannoteJob: JsonFormat = {
  name: 'pyannote_json',
  reads: 'json',
  recognises: (json) =>
    valueAt(json, 'output', 'diarization') !== undefined || valueAt(json, 'output', 'identification') !== undefined,
  read: (json) => {
    const { output, jobId, status = 'succeeded' } = decodeDocument(Job, json);
    if (status !== 'succeeded') refuse('status', `the job is ${JSON.stringify(status)}, not "succeeded"`);
    const { diarization = [], identification = [], turnLevelTranscription = [] } = output;
    const turns =
      identification.length === 0
        ? turnsOf(diarization, 'output.diarization')
        : turnsOf(identification, 'output.identification');
    const spoken = turnLevelTranscription.map(({ speaker = null, ...turn }, index) => {
      return { ...turn, speaker, place: `output.turnLevelTranscription[${index}]` };
    });
    return { recording: jobId, rows: turns.length, speech: { grain: 'utterance', spoken, turns } };
  },
};

/** What pyannote.audio 4 writes with `serialize()`: turns only (pyannote.github.io). */
export const pyannoteTurns: JsonFormat = {
  name: 'pyannote_json',
  reads: 'json',
  recognises: (json) => Array.isArray(valueAt(json, 'diarization')),
  read: (json) => {
    const turns = turnsOf(decodeDocument(t.type({ diarization: Turns }), json).diarization, 'diarization');
    return { rows: turns.length, speech: { grain: 'word', spoken: null, turns } };
  },
};

const textOrNumber = t.union([t.string, t.number]);
const Track = t.type({ segment: t.type({ start: Seconds, end: Seconds }), track: textOrNumber, label: textOrNumber });
const Annotation = t.intersection([t.type({ content: t.readonlyArray(Track) }), t.partial({ uri: t.string })]);

/** What pyannote.core writes with `Annotation.for_json()`: labelled tracks of segments (pyannote.github.io). */
export const pyannoteAnnotation: JsonFormat = {
  name: 'pyannote_json',
  reads: 'json',
  recognises: (json) => valueAt(json, 'pyannote') === 'Annotation',
  read: (json) => {
    const { content, uri } = decodeDocument(Annotation, json);
    refuseDuplicates(
      content,
      ({ segment: { start, end }, track }) => `${start} ${end} ${track}`,
      (index) => `content[${index}].track`,
    );
    const turns = content.map(({ segment: { start, end }, label }, index) => {
      return { speaker: String(label), start, end, place: `content[${index}]` };
    });
    return { recording: uri, rows: turns.length, speech: { grain: 'word', spoken: null, turns } };
  },
};
