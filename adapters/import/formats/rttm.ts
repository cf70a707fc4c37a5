import * as E from 'fp-ts/lib/Either.js';
import { asSeconds, readNumber, readSeconds, toMicrosecond } from '../fields.js';
import type { LineFormat } from '../format.js';
import { type ReadingOptions, refuse } from '../imported.js';
import { chooseRecording } from '../recordings.js';
import type { LabelledTurn } from '../speech-parts.js';
import { Tally } from '../tally.js';

/** The row types of the NIST Rich Transcription formats other than SPEAKER. */
const otherTypes = new Set(
  'A/P CB EDIT FILLER IP LEXEME NON-LEX NON-SPEECH NORT_DATA NO_RT_METADATA NOSCORE SEGMENT SPKR-INFO SU'.split(' '),
);

/** Some tools leave out the confidence; RT-09 has a tenth column, the signal lookahead time. */
const [minColumns, maxColumns] = [8, 10];

const isTime = (text: string | undefined): boolean =>
  text !== undefined && /^-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?$/.test(text);

/** Confidence and lookahead. */
const isLast = (text: string): boolean => text === '<NA>' || isTime(text);

/** The columns of a row. White space in the file id or in the name of the speaker makes more columns than there are. */
const columnsOf = (row: string): ReadonlyArray<string> => {
  const columns = row.split(/\s+/);
  const isPlain = isTime(columns[3]) && columns[5] === '<NA>' && columns.slice(8).every(isLast);
  if (columns[0] !== 'SPEAKER' || (columns.length <= maxColumns && isPlain)) return columns;
  const onset = columns.findIndex(
    (text, at) => at >= 3 && isTime(text) && isTime(columns[at + 1]) && columns[at + 2] === '<NA>',
  );
  if (onset === -1) return columns;
  const name = columns.slice(onset + 4);
  const last: string[] = [];
  for (let end = name.at(-1) ?? ''; name.length > 1 && last.length < 2 && isLast(end); end = name.at(-1) ?? '')
    last.unshift(name.pop() ?? '');
  const file = columns.slice(1, onset - 1).join(' ');
  return ['SPEAKER', file, ...columns.slice(onset - 1, onset + 4), name.join(' '), ...last];
};

const isRow = (line: string): boolean => {
  const columns = columnsOf(line.trim());
  if (otherTypes.has(columns[0] ?? '')) return columns.length >= minColumns;
  return columns[0] === 'SPEAKER' && columns.length >= minColumns && isTime(columns[3]) && isTime(columns[4]);
};

const valueOf = (line: number, read: E.Either<string, number>): number =>
  E.isLeft(read) ? refuse(line, read.left) : toMicrosecond(read.right);

const turnOf = (columns: ReadonlyArray<string>, line: number): LabelledTurn => {
  const [, , channel, onset = '', duration = '', , , label = ''] = columns;
  const start = valueOf(line, readSeconds('onset', onset));
  // With a negative duration, the turn ends before it starts.
  const length = valueOf(line, readNumber('duration', duration));
  const end = length < 0 ? toMicrosecond(start + length) : valueOf(line, asSeconds('end', start + length));
  return { speaker: label === '<NA>' ? null : label, channel, start, end, place: line };
};

const readRttm = (lines: Iterable<string>, { recordings }: ReadingOptions) => {
  const dropped = new Tally();
  const recording = chooseRecording(recordings);
  const turns: LabelledTurn[] = [];
  let [line, rows] = [0, 0];
  for (const text of lines) {
    line += 1;
    const row = text.trim();
    if (row === '' || row.startsWith(';;')) continue;
    const columns = columnsOf(row);
    const [type = '', file = ''] = columns;
    rows += 1;
    if (otherTypes.has(type)) dropped.add(`${type} row: not a speaker turn`);
    else if (type !== 'SPEAKER') refuse(line, `unknown RTTM row type ${JSON.stringify(type)}`);
    else if (columns.length < minColumns || columns.length > maxColumns)
      refuse(line, `${columns.length} columns, but a SPEAKER row has ${minColumns} to ${maxColumns}`);
    else {
      const turn = turnOf(columns, line);
      if (recording.takes(file, line)) turns.push(turn);
    }
  }
  recording.close(dropped);
  return {
    recording: recording.chosen(),
    rows,
    speech: { grain: 'word', spoken: null, turns, missing: 'no SPEAKER row' },
    dropped,
  } as const;
};

/**
 * RTTM, the Rich Transcription Time Marked format of NIST's RT-09 evaluation plan (appendix A), as pyannote writes it
 * too: `SPEAKER file channel onset duration <NA> <NA> name <NA> <NA>`, times in seconds. Rows may be in any order and
 * overlap. Other row types, turns without duration and duplicate rows are counted and left out. A second file id is an
 * error unless `recordings` chooses one.
 */
export const rttm: LineFormat = {
  name: 'rttm',
  reads: 'lines',
  recognises: (start) => start.split('\n', 50).some(isRow),
  read: readRttm,
};
