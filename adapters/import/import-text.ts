import type { FileError, Imported, ImportNote } from './imported.js';
import type { ImportedFile } from './read-file.js';

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const talkingSeconds = (imported: Imported): number =>
  imported.kind === 'faces'
    ? imported.faces
        .flatMap(({ talking }) => talking)
        .reduce((sum, { start, end, score }) => sum + (score > 0 ? end - start : 0), 0)
    : 0;

/** What a file was understood to hold, in numbers. */
export const countsOf = (imported: Imported): Readonly<Record<string, number>> =>
  imported.kind === 'faces'
    ? {
        faces: imported.faces.length,
        tracks: imported.faces.reduce((sum, { tracks }) => sum + tracks.length, 0),
        seconds_visible: imported.summary.seconds,
        seconds_talking: Math.round(talkingSeconds(imported) * 1000) / 1000,
      }
    : {
        speakers: imported.speakers.length,
        segments: imported.segments.length,
        seconds: imported.summary.seconds,
      };

const understood = (imported: Imported): string => {
  const { seconds } = imported.summary;
  if (imported.kind === 'diarisation')
    return `${counted(imported.speakers.length, 'speaker')}, ${counted(imported.segments.length, 'turn')}, ${seconds.toFixed(1)} s of speech`;
  const tracks = imported.faces.reduce((sum, face) => sum + face.tracks.length, 0);
  return `${counted(imported.faces.length, 'face')}, ${counted(tracks, 'visible stretch', 'visible stretches')}, ${seconds.toFixed(1)} s visible, ${talkingSeconds(imported).toFixed(1)} s talking`;
};

const noteText = ({ count, what }: ImportNote): string => `${count.toLocaleString('en')} × ${what}`;

/** A file as a reader wants to see it: a line for what it is, then what was left out and what is notable. */
export const describeFile = ({ file, format, imported }: ImportedFile): ReadonlyArray<string> => {
  const { recording, rows, dropped, notes } = imported.summary;
  const labels = imported.kind === 'diarisation' ? imported.speakers : [];
  return [
    `${file}: ${format}${recording === null ? '' : ` of ${recording}`}, ${counted(rows, 'row')}`,
    `  ${understood(imported)}`,
    ...(labels.length === 0 ? [] : [`  speakers: ${labels.map((s) => `${s.label} = ${s.speaker_id}`).join(', ')}`]),
    ...dropped.map((note) => `  left out: ${noteText(note)}`),
    ...notes.map((note) => `  noted: ${noteText(note)}`),
  ];
};

/** `file:line: message`, the line only where there is one. */
export const describeFileError = ({ file, line, message }: FileError): string =>
  `${file}:${line === null ? '' : `${line}:`} ${message}`;
