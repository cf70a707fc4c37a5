import type { Understanding } from '../../application/ports/provider-documents.js';
import {
  quoted,
  type FileError,
  type ImportedFaces,
  type ImportedSpeech,
  type ImportError,
  type ImportNote,
  type ImportSummary,
} from './format.js';
import type { ReadDocument } from './read-document.js';
import type { FileRead, ImportContent } from './recording-files.js';

type NamedRead = Omit<FileRead, 'wanted'>;

const counted = (count: number, one: string): string => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

const talkingSeconds = ({ faces }: ImportedFaces): number =>
  faces
    .flatMap(({ talking }) => talking)
    .reduce((sum, { start, end, score }) => sum + (score > 0 ? end - start : 0), 0);

const named = (people: ReadonlyArray<{ readonly name: string | null }>): number =>
  people.filter(({ name }) => name !== null).length;

const faceCounts = (imported: ImportedFaces) => ({
  faces: imported.faces.length,
  named_faces: named(imported.faces),
  tracks: imported.faces.reduce((sum, { tracks }) => sum + tracks.length, 0),
  seconds_visible: imported.summary.seconds,
  seconds_talking: Math.round(talkingSeconds(imported) * 1000) / 1000,
});

const speechCounts = ({ speakers, segments, transcript, summary }: ImportedSpeech) => ({
  speakers: speakers.length,
  named_speakers: named(speakers),
  segments: segments.length,
  seconds: summary.seconds,
  ...(transcript === null ? {} : { utterances: transcript.utterances.length, words: transcript.words }),
});

/** The summary of a document with faces, speech or both. */
const summaryOf = ({ imported: { faces, speech } }: ReadDocument): ImportSummary =>
  speech?.summary ?? faces?.summary ?? { recording: null, rows: 0, seconds: 0, dropped: [], notes: [] };

/** What a document contains, in numbers. */
export const understanding = (read: ReadDocument): Understanding => {
  const { faces, speech } = read.imported;
  const { recording, rows, dropped, notes } = summaryOf(read);
  const counts = { ...(faces && faceCounts(faces)), ...(speech && speechCounts(speech)) };
  const whole = { format: read.format, recording, rows, ...counts, dropped, notes };
  return whole;
};

const facesText = (imported: ImportedFaces): string => {
  const { faces, tracks, named_faces, seconds_visible, seconds_talking } = faceCounts(imported);
  const names = named_faces === 0 ? '' : ` (${named_faces} named)`;
  return `  ${counted(faces, 'face')}${names}, ${counted(tracks, 'visible interval')}, ${seconds_visible.toFixed(1)} s visible, ${seconds_talking.toFixed(1)} s talking`;
};

const speechText = (imported: ImportedSpeech): string => {
  const { speakers, segments, seconds, words, utterances } = speechCounts(imported);
  const said = words === undefined ? '' : `, ${counted(words, 'word')} in ${counted(utterances ?? 0, 'utterance')}`;
  return `  ${counted(speakers, 'speaker')}, ${counted(segments, 'turn')}, ${seconds.toFixed(1)} s of speech${said}`;
};

const labelsText = ({ speakers }: ImportedSpeech): string =>
  `  speakers: ${speakers.map(({ label, speaker_id }) => `${label} = ${speaker_id}`).join(', ')}`;

const noteText = ({ count, what }: ImportNote): string => `${count.toLocaleString('en')} × ${what}`;

const notesText = ({ dropped, notes }: ImportSummary): ReadonlyArray<string> => [
  ...dropped.map((note) => `  left out: ${noteText(note)}`),
  ...notes.map((note) => `  noted: ${noteText(note)}`),
];

/** A file for people: a line with its content, then what was left out and notes. */
export const describeFile = (read: NamedRead): ReadonlyArray<string> => {
  const { file, format, imported } = read;
  const summary = summaryOf(read);
  const { recording, rows } = summary;
  return [
    `${file}: ${format}${recording === null ? '' : ` of ${recording}`}, ${counted(rows, 'row')}`,
    ...(imported.faces === null ? [] : [facesText(imported.faces)]),
    ...(imported.speech === null ? [] : [speechText(imported.speech), labelsText(imported.speech)]),
    ...notesText(summary),
  ];
};

const tableRow = (read: NamedRead): ReadonlyArray<string> => {
  const { faces, speech } = read.imported;
  const { dropped, notes } = summaryOf(read);
  const [seen, heard] = [faces && faceCounts(faces), speech && speechCounts(speech)];
  const counts = [
    heard?.speakers,
    (heard?.named_speakers ?? 0) + (seen?.named_faces ?? 0),
    heard?.segments,
    heard?.words,
    seen?.faces,
    [...dropped, ...notes].reduce((sum, { count }) => sum + count, 0),
  ];
  return [read.file, read.format, ...counts.map((count = 0) => count.toLocaleString('en'))];
};

/** The rows of a table with a row for each file; files of no supported format come last. */
export const importTable = (
  files: ReadonlyArray<NamedRead>,
  skipped: ReadonlyArray<string>,
): ReadonlyArray<ReadonlyArray<string>> => [
  ['file', 'format', 'speakers', 'named', 'turns', 'words', 'faces', 'notes'],
  ...files.map(tableRow),
  ...skipped.map((file) => [file, 'not recognised']),
];

/** How speech was joined from several files, and whether the transcript is provider-supplied, for people. */
export const describeSpeech = ({ speech, joined, provider_supplied }: ImportContent): ReadonlyArray<string> => {
  if (speech === null || speech.transcript === null) return [];
  const join = joined && `joined: the turns of ${joined.turns} with the transcript of ${joined.transcript}`;
  return [
    ...(join === null ? [] : [join, speechText(speech), ...notesText(speech.summary)]),
    `transcript: ${provider_supplied ? 'provider-supplied, no names are inferred from it' : 'own analysis'}`,
  ];
};

/** What several files contain, each and together, in numbers. */
export const filesUnderstanding = (
  files: ReadonlyArray<NamedRead>,
  skipped: ReadonlyArray<string>,
  { speech, joined }: ImportContent,
) => ({
  files: files.map((one) => ({ file: one.file, ...understanding(one) })),
  skipped,
  joined:
    speech === null || joined === null
      ? null
      : { ...joined, ...speechCounts(speech), dropped: speech.summary.dropped, notes: speech.summary.notes },
});

/** `12: message` or `results.items[3].start_time: message`; without the place if there is none. */
export const describeError = ({ place, message }: ImportError): string =>
  [String(place ?? ''), message]
    .filter((part) => part !== '')
    .map(quoted)
    .join(': ');

/** `file:12: message`, `file: path: message`, or `file: message`. */
export const describeFileError = (error: FileError): string =>
  `${error.file}:${typeof error.place === 'number' ? '' : ' '}${describeError(error)}`;
