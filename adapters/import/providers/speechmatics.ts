import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonFormat } from '../document.js';
import { valueAt } from '../json-document.js';
import type { Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';
import { Seconds, SecondsText } from '../times.js';

const Result = t.intersection([
  t.type({ type: t.string, start_time: Seconds, end_time: Seconds }),
  t.partial({
    channel: t.string,
    attaches_to: t.string,
    alternatives: t.readonlyArray(t.intersection([t.type({ content: t.string }), t.partial({ speaker: t.string })])),
  }),
]);
const Job = t.partial({ id: t.union([t.string, t.number]) });
const Transcript = t.intersection([t.type({ results: t.readonlyArray(Result) }), t.partial({ job: Job })]);

const spokenTypes = new Set(['word', 'punctuation', 'entity']);

/** `UU` is Speechmatics' label for an unknown speaker. */
const labelOf = (speaker: string | undefined, channel: string | undefined): string | null =>
  speaker === undefined || speaker === 'UU' ? (channel ?? null) : speaker;

const spokenOf = ({ type, alternatives = [], ...result }: t.TypeOf<typeof Result>, place: string): Spoken => ({
  speaker: labelOf(alternatives[0]?.speaker, result.channel),
  start: result.start_time,
  end: result.end_time,
  text: alternatives[0]?.content ?? '',
  glued: type === 'punctuation' && result.attaches_to !== 'next' && result.attaches_to !== 'none',
  place,
});

/** Speechmatics' JSON since version 2, of jobs and of the realtime API's `AddTranscript`; times in seconds. */
export const speechmatics = jsonFormat(
  (json) => {
    const first = valueAt(json, 'results', 0);
    return (
      Array.isArray(valueAt(json, 'results')) &&
      (valueAt(json, 'format') !== undefined || valueAt(first, 'start_time') !== undefined)
    );
  },
  Transcript,
  ({ results, job }) => {
    const dropped = new Tally();
    const spoken = results.flatMap((result, index) => {
      if (!spokenTypes.has(result.type)) dropped.add(`result of type ${result.type}: not speech`);
      return spokenTypes.has(result.type) ? [spokenOf(result, `results[${index}]`)] : [];
    });
    const recording = job?.id === undefined ? null : String(job.id);
    return E.right({ recording, rows: results.length, speech: { grain: 'word', spoken }, dropped });
  },
);

const Timed = t.type({ name: t.string, time: SecondsText, duration: SecondsText });
const FirstVersion = t.intersection([
  t.type({ words: t.readonlyArray(Timed), speakers: t.readonlyArray(Timed) }),
  t.partial({ job: Job }),
]);

/** Speechmatics' first JSON: separate lists of words and turns, times as strings; a word belongs to the turn in which it begins. */
export const speechmaticsV1 = jsonFormat(
  (json) => valueAt(json, 'words', 0, 'time') !== undefined && Array.isArray(valueAt(json, 'speakers')),
  FirstVersion,
  ({ words, speakers, job }) => {
    const turns = speakers.map(({ name, time, duration }, index) => {
      return { speaker: name, start: time, end: time + duration, place: `speakers[${index}]` };
    });
    const sorted = turns.toSorted((a, b) => a.start - b.start);
    let current = -1;
    const spoken = words.map(({ name, time, duration }, index): Spoken => {
      while ((sorted[current + 1]?.start ?? Infinity) <= time + 1e-6) current += 1;
      const turn = sorted[current];
      const speaker = turn !== undefined && time < turn.end + 1e-6 ? turn.speaker : null;
      const glued = /^[.,?!;:]+$/.test(name);
      return { speaker, start: time, end: time + duration, text: name, glued, place: `words[${index}]` };
    });
    const recording = job?.id === undefined ? null : String(job.id);
    return E.right({ recording, rows: words.length, speech: { grain: 'word', spoken, turns } });
  },
);
