import * as t from 'io-ts';
import { Seconds, has, jsonFormat, listed, numberedSpeaker, object } from '../json.js';
import { refuse } from '../format.js';

const Utterance = object({ start: Seconds, end: Seconds, text: t.string }, { speaker: t.Int, channel: t.Int });

/**
 * Gladia's result of a recording or a live session: utterances by speaker and channel, times in seconds (docs.gladia.io,
 * "Get the result of a job").
 */
export const gladia = jsonFormat({
  name: 'gladia',
  recognises: (json) => has(json, 'result.transcription'),
  codec: object(
    { result: t.type({ transcription: t.partial({ utterances: t.readonlyArray(Utterance) }) }) },
    { id: t.string, status: t.string, file: t.partial({ filename: t.string }) },
  ),
  read: ({ result, id, status = 'done', file }) => {
    if (status !== 'done') refuse('status', `is ${JSON.stringify(status)}, not "done"`);
    const { utterances: given = [] } = result.transcription;
    const utterances = listed(
      'result.transcription.utterances',
      given,
      ({ speaker, channel, start, end, text }, place) => {
        return { speaker: numberedSpeaker(speaker), channel, start, end, text, place };
      },
    );
    return { recording: file?.filename ?? id, rows: given.length, utterances, missing: 'no utterances' };
  },
});
