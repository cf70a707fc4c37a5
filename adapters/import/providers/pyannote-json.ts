import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonFormat } from '../document.js';
import { errorIn, refuseDuplicates, valueAt } from '../json-document.js';
import type { LabelledTurn } from '../speech-parts.js';
import { Seconds } from '../times.js';

const Turn = t.type({ speaker: t.string, start: Seconds, end: Seconds });
const SpokenTurn = t.intersection([Turn, t.type({ text: t.string })]);
const Output = t.partial({
  diarization: t.readonlyArray(Turn),
  identification: t.readonlyArray(Turn),
  turnLevelTranscription: t.readonlyArray(SpokenTurn),
});

/** A job of pyannoteAI's API. */
const Job = t.intersection([t.type({ output: Output }), t.partial({ jobId: t.string, status: t.string })]);

const turnsOf = (turns: ReadonlyArray<t.TypeOf<typeof Turn>>, path: string): ReadonlyArray<LabelledTurn> =>
  turns.map(({ speaker, start, end }, index) => ({ speaker, start, end, place: `${path}[${index}]` }));

/**
 * pyannoteAI's API: speaker turns (of an identification job those with the names of voiceprints), and the transcript if
 * the job has one. Times in seconds.
 */
export const pyannoteJob = jsonFormat(
  (json) =>
    valueAt(json, 'output', 'diarization') !== undefined || valueAt(json, 'output', 'identification') !== undefined,
  Job,
  ({ output: { diarization, identification, turnLevelTranscription }, jobId = null, status = 'succeeded' }) => {
    if (status !== 'succeeded') return errorIn('status', `the job is ${JSON.stringify(status)}, not "succeeded"`);
    const turns =
      identification === undefined
        ? turnsOf(diarization ?? [], 'output.diarization')
        : turnsOf(identification, 'output.identification');
    const spoken =
      turnLevelTranscription?.map((turn, index) => {
        return { ...turn, place: `output.turnLevelTranscription[${index}]` };
      }) ?? null;
    return E.right({ recording: jobId, rows: turns.length, speech: { grain: 'utterance', spoken, turns } });
  },
);

/** What pyannote.audio 4 writes with `serialize()`: turns only. */
export const pyannoteTurns = jsonFormat(
  (json) => valueAt(json, 'diarization') !== undefined,
  t.type({ diarization: t.readonlyArray(Turn) }, 'PyannoteTurns'),
  ({ diarization }) => {
    const turns = turnsOf(diarization, 'diarization');
    return E.right({ rows: turns.length, speech: { grain: 'word', spoken: null, turns } });
  },
);

const Track = t.type({
  segment: t.type({ start: Seconds, end: Seconds }),
  track: t.union([t.string, t.number]),
  label: t.union([t.string, t.number]),
});
const Annotation = t.intersection([
  t.type({ content: t.readonlyArray(Track) }),
  t.partial({ uri: t.union([t.string, t.null]) }),
]);

/** What pyannote.core writes with `Annotation.for_json()`: labelled tracks of segments. */
export const pyannoteAnnotation = jsonFormat(
  (json) => valueAt(json, 'pyannote') === 'Annotation',
  Annotation,
  ({ content, uri = null }) => {
    const single = refuseDuplicates(
      content,
      ({ segment: { start, end }, track }) => `${start} ${end} ${track}`,
      (index) => `content[${index}].track`,
    );
    if (E.isLeft(single)) return single;
    const turns = content.map(({ segment: { start, end }, label }, index) => {
      return { speaker: String(label), start, end, place: `content[${index}]` };
    });
    return E.right({ recording: uri, rows: turns.length, speech: { grain: 'word', spoken: null, turns } });
  },
);
