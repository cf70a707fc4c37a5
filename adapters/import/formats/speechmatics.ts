import * as t from 'io-ts';
import { Seconds, SecondsText, has, jsonFormat, labelText, listAt, listed, object, TextOrNumber } from '../json.js';
import type { Spoken } from '../format.js';

const Alternative = object({ content: t.string }, { speaker: t.string });
const Result = object(
  { type: t.string, start_time: Seconds, end_time: Seconds },
  { channel: t.string, attaches_to: t.string, alternatives: t.readonlyArray(Alternative) },
);
const Job = t.partial({ id: TextOrNumber });

const spokenTypes = new Set(['word', 'punctuation', 'entity']);

/** `UU` is Speechmatics' label for an unknown speaker. */
const spokenOf = ({ type, alternatives = [], ...result }: t.TypeOf<typeof Result>): Spoken => {
  const { speaker = 'UU', content = '' } = alternatives[0] ?? {};
  return {
    speaker: speaker === 'UU' ? null : speaker,
    channel: result.channel,
    start: result.start_time,
    end: result.end_time,
    text: content,
    glued: type === 'punctuation' && result.attaches_to !== 'next' && result.attaches_to !== 'none',
    place: 'results',
  };
};

/**
 * Speechmatics' JSON since version 2, of jobs and of the realtime API's `AddTranscript`; times in seconds
 * (docs.speechmatics.com, "Output").
 */
export const speechmatics = jsonFormat({
  name: 'speechmatics',
  recognises: (json) =>
    has(json, 'results[].start_time', 'results[].type') ||
    (has(json, 'results[]', 'format') && listAt(json, 'results').length === 0),
  codec: object({ results: t.readonlyArray(Result) }, { job: Job }),
  read: ({ results, job }, { dropped }) => {
    const spoken = results.filter(({ type }) => spokenTypes.has(type));
    for (const { type } of results) if (!spokenTypes.has(type)) dropped.add(`result of type ${type}: not speech`);
    return { recording: labelText(job?.id), rows: results.length, words: spoken.map(spokenOf) };
  },
});

const Timed = t.readonlyArray(t.type({ name: t.string, time: SecondsText, duration: SecondsText }));

/**
 * Speechmatics' first JSON: separate lists of words and turns, times as strings; a word belongs to the turn in which it
 * begins (docs.speechmatics.com, "V1 API").
 */
export const speechmaticsV1 = jsonFormat({
  name: 'speechmatics',
  recognises: (json) => has(json, 'words[].time', 'speakers[]'),
  codec: object({ words: Timed, speakers: Timed }, { job: Job }),
  read: ({ words: given, speakers, job }) => {
    const turns = listed('speakers', speakers, ({ name, time, duration }, place) => {
      return { speaker: name, start: time, end: time + duration, place };
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
