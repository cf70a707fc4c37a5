import * as t from 'io-ts';
import { Seconds, hasAny, jsonFormat, listed, object, refuseDuplicates, TextOrNumber, valueAt } from '../json.js';

const Turn = object({ start: Seconds, end: Seconds }, { speaker: t.string });
const SpokenTurn = t.intersection([Turn, t.type({ text: t.string })]);
const Turns = t.readonlyArray(Turn);

const turnOf = ({ speaker, start, end }: t.TypeOf<typeof Turn>, place: string) => {
  return { speaker: speaker ?? null, start, end, place };
};

/**
 * pyannoteAI's API: speaker turns (of an identification job those with the names of voiceprints), and the transcript if
 * the job has one. Times in seconds (docs.pyannote.ai).
 */
export const pyannoteJob = jsonFormat({
  name: 'pyannote_json',
  recognises: (json) => hasAny(json, 'output.diarization', 'output.identification'),
  codec: object(
    {
      output: t.partial({
        diarization: Turns,
        identification: Turns,
        turnLevelTranscription: t.readonlyArray(SpokenTurn),
      }),
    },
    { jobId: t.string },
  ),
  done: ['status', 'succeeded'],
  read: ({ output, jobId }) => {
    const { diarization = [], identification = [], turnLevelTranscription = [] } = output;
    const turns =
      identification.length === 0
        ? listed('output.diarization', diarization, turnOf)
        : listed('output.identification', identification, turnOf);
    const utterances = listed('output.turnLevelTranscription', turnLevelTranscription, (turn, place) => {
      return { ...turnOf(turn, place), text: turn.text };
    });
    return { recording: jobId, rows: turns.length, utterances, turns };
  },
});

const Track = t.type({ segment: t.type({ start: Seconds, end: Seconds }), track: TextOrNumber, label: TextOrNumber });

/** What pyannote.core writes with `Annotation.for_json()`: labelled tracks of segments (pyannote.github.io). */
export const pyannoteAnnotation = jsonFormat({
  name: 'pyannote_json',
  recognises: (json) => valueAt(json, 'pyannote') === 'Annotation',
  codec: object({ content: t.readonlyArray(Track) }, { uri: t.string }),
  read: ({ content, uri }) => {
    refuseDuplicates('content', content, 'track', ({ segment, track }) => `${segment.start} ${segment.end} ${track}`);
    const turns = listed('content', content, ({ segment, label }, place) => {
      return { speaker: String(label), start: segment.start, end: segment.end, place };
    });
    return { recording: uri, rows: turns.length, turns };
  },
});
