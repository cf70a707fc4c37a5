import type { ReadDocument } from '../../../adapters/import/read-document.js';
import type { Imported, ImportedSpeech } from '../../../adapters/import/format.js';

/** The name of a speaker; `#1` without a name, `#1 (agent)` with a role, `?` for the synthetic speaker. */
const whoIs = ({ speakers }: ImportedSpeech, id: number): string => {
  const speaker = speakers.find(({ speaker_id }) => speaker_id === id);
  const role = speaker?.role ? ` (${speaker.role})` : '';
  return (speaker?.name ?? (speaker?.synthetic === true ? '?' : `#${id}`)) + role;
};

const times = (list: ReadonlyArray<{ start: number; end: number; score?: number }>): string =>
  list.map(({ start, end, score }) => `${start}-${end}${score === undefined ? '' : `=${score}`}`).join(' ');

/**
 * What a document holds, a line each: `0-2 Ann: Hello there.` for utterances (`1-2 Ann` for turns without a transcript),
 * `face 0 1-3 5-6` for faces, with ` talking 1-2=0.9` if the format says when they talk.
 */
export const contentOf = ({ faces, speech }: Imported): ReadonlyArray<string> => [
  ...(faces?.faces ?? []).map(
    ({ id, name, tracks, talking }) =>
      `face ${name ?? String(id)} ${times(tracks)}${talking.length === 0 ? '' : ` talking ${times(talking)}`}`,
  ),
  ...(speech === null
    ? []
    : (
        speech.transcript?.utterances.map((one) => ({ ...one, said: `: ${one.text}` })) ??
        speech.segments.map((one) => ({ ...one, said: '' }))
      ).map(({ speaker_id, start, end, said }) => `${start}-${end} ${whoIs(speech, speaker_id)}${said}`)),
];

/** What was left out and noted, such as `2 interim result`. */
export const countedOf = ({ faces, speech }: Imported): ReadonlyArray<string> => {
  const { dropped, notes } = speech?.summary ?? faces?.summary ?? { dropped: [], notes: [] };
  return [...dropped, ...notes].map(({ count, what }) => `${count} ${what}`);
};

/** Counts of what was read: faces, faces with a name, intervals; speakers, with a name, turns, utterances, words. */
export const countsOf = ({ imported: { faces, speech } }: ReadDocument): string =>
  [
    ...(faces === null ? [] : [`faces ${faces.faces.length}`]),
    ...(faces === null ? [] : [`named ${faces.faces.filter(({ name }) => name !== null).length}`]),
    ...(faces === null ? [] : [`tracks ${faces.faces.flatMap(({ tracks }) => tracks).length}`]),
    ...(speech === null ? [] : [`speakers ${speech.speakers.length}`]),
    ...(speech === null ? [] : [`named ${speech.speakers.filter(({ name }) => name !== null).length}`]),
    ...(speech === null ? [] : [`turns ${speech.segments.length}`]),
    ...(speech?.transcript ? [`utterances ${speech.transcript.utterances.length}`] : []),
    ...(speech?.transcript ? [`words ${speech.transcript.words}`] : []),
  ].join(', ');
