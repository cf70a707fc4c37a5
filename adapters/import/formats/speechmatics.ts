import * as t from 'io-ts';
import { Seconds, SecondsText, decodeDocument, listAt, valueAt } from '../json.js';
import { type JsonFormat, type Spoken, Tally } from '../format.js';

const Alternative = t.intersection([t.type({ content: t.string }), t.partial({ speaker: t.string })]);
const Result = t.intersection([
  t.type({ type: t.string, start_time: Seconds, end_time: Seconds }),
  t.partial({ channel: t.string, attaches_to: t.string, alternatives: t.readonlyArray(Alternative) }),
]);
const Job = t.partial({ id: t.union([t.string, t.number]) });
const Transcript = t.intersection([t.type({ results: t.readonlyArray(Result) }), t.partial({ job: Job })]);

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

const recordingOf = (id: string | number | undefined): string | null => (id === undefined ? null : String(id));

/**
 * Speechmatics' JSON since version 2, of jobs and of the realtime API's `AddTranscript`; times in seconds
 * (docs.speechmatics.com, "Output").
 */
export const speechmatics: JsonFormat = {
  name: 'speechmatics',
  reads: 'json',
  recognises: (json) =>
    Array.isArray(valueAt(json, 'results')) &&
    (listAt(json, 'results').length === 0
      ? valueAt(json, 'format') !== undefined
      : listAt(json, 'results').some(
          (result) => valueAt(result, 'start_time') !== undefined && valueAt(result, 'type') !== undefined,
        )),
  read: (json) => {
    const { results, job } = decodeDocument(Transcript, json);
    const dropped = new Tally();
    const spoken = results.flatMap((result) => {
      if (!spokenTypes.has(result.type)) dropped.add(`result of type ${result.type}: not speech`);
      return spokenTypes.has(result.type) ? [spokenOf(result)] : [];
    });
    return { recording: recordingOf(job?.id), rows: results.length, speech: { grain: 'word', spoken }, dropped };
  },
};

const Timed = t.type({ name: t.string, time: SecondsText, duration: SecondsText });
const FirstVersion = t.intersection([
  t.type({ words: t.readonlyArray(Timed), speakers: t.readonlyArray(Timed) }),
  t.partial({ job: Job }),
]);

/**
 * Speechmatics' first JSON: separate lists of words and turns, times as strings; a word belongs to the turn in which it
 * begins (docs.speechmatics.com, "V1 API").
 */
export const speechmaticsV1: JsonFormat = {
  name: 'speechmatics',
  reads: 'json',
  recognises: (json) =>
    listAt(json, 'words').some((word) => valueAt(word, 'time') !== undefined) &&
    Array.isArray(valueAt(json, 'speakers')),
  read: (json) => {
    const { words, speakers, job } = decodeDocument(FirstVersion, json);
    const turns = speakers.map(({ name, time, duration }, index) => {
      return { speaker: name, start: time, end: time + duration, place: `speakers[${index}]` };
    });
    const sorted = turns.toSorted((a, b) => a.start - b.start);
    let current = -1;
    const spoken = words.map(({ name, time, duration }): Spoken => {
      while ((sorted[current + 1]?.start ?? Infinity) <= time + 1e-6) current += 1;
      const turn = sorted[current];
      const speaker = turn !== undefined && time < turn.end + 1e-6 ? turn.speaker : null;
      const glued = /^[.,?!;:]+$/.test(name);
      return { speaker, start: time, end: time + duration, text: name, glued, place: 'words' };
    });
    return { recording: recordingOf(job?.id), rows: words.length, speech: { grain: 'word', spoken, turns } };
  },
};
