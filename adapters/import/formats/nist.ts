import { numberAt, secondsAt } from '../times.js';
import { type LineFormat, type LabelledTurn, refuse, type Spoken } from '../format.js';
import { RecordingChoice, areMost, isNumeric, intervalOf, rowsOf } from '../rows.js';

/** The row types of the NIST Rich Transcription formats other than SPEAKER. */
const otherTypes = new Set(
  'A/P CB EDIT FILLER IP LEXEME NON-LEX NON-SPEECH NORT_DATA NO_RT_METADATA NOSCORE SEGMENT SPKR-INFO SU'.split(' '),
);

/** Some tools leave out the confidence; RT-09 has a tenth column, the signal lookahead time. */
const [minColumns, maxColumns] = [8, 10];

/** Confidence and lookahead. */
const isLast = (text: string): boolean => text === '<NA>' || isNumeric(text);

/** The columns that are meant: white space in the file id or in the name of the speaker makes more than there are. */
const rejoined = (columns: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isPlain = isNumeric(columns[3]) && columns[5] === '<NA>' && columns.slice(8).every(isLast);
  if (columns[0] !== 'SPEAKER' || (columns.length <= maxColumns && isPlain)) return columns;
  const onset = columns.findIndex(
    (text, at) => at >= 3 && isNumeric(text) && isNumeric(columns[at + 1]) && columns[at + 2] === '<NA>',
  );
  if (onset === -1) return columns;
  const name = columns.slice(onset + 4);
  const last: string[] = [];
  for (let end = name.at(-1) ?? ''; name.length > 1 && last.length < 2 && isLast(end); end = name.at(-1) ?? '')
    last.unshift(name.pop() ?? '');
  const file = columns.slice(1, onset - 1).join(' ');
  return ['SPEAKER', file, ...columns.slice(onset - 1, onset + 4), name.join(' '), ...last];
};

const isRttmRow = (given: ReadonlyArray<string>): boolean => {
  const columns = rejoined(given);
  if (otherTypes.has(columns[0] ?? '')) return columns.length >= minColumns;
  return columns[0] === 'SPEAKER' && columns.length >= minColumns && isNumeric(columns[3]) && isNumeric(columns[4]);
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
  recognises: (start) => [...rowsOf(start.split('\n', 50))].some(({ columns }) => isRttmRow(columns)),
  read: (lines, reading) => {
    const recording = new RecordingChoice(reading);
    const turns: LabelledTurn[] = [];
    let rows = 0;
    for (const { line, columns: given } of rowsOf(lines)) {
      const columns = rejoined(given);
      const [type = '', file = '', channel, onset, duration, , , label = ''] = columns;
      rows += 1;
      if (otherTypes.has(type)) reading.dropped.add(`${type} row: not a speaker turn`);
      else if (type !== 'SPEAKER') refuse(line, `unknown RTTM row type ${JSON.stringify(type)}`);
      else if (columns.length < minColumns || columns.length > maxColumns)
        refuse(line, `${columns.length} columns, but a SPEAKER row has ${minColumns} to ${maxColumns}`);
      else {
        const { start, end } = intervalOf(line, 'onset', [onset, duration]);
        const speaker = label === '<NA>' ? null : label;
        if (recording.takes(file, line)) turns.push({ speaker, channel, start, end, place: line });
      }
    }
    return { recording: recording.chosen(), rows, turns, missing: 'no SPEAKER row' };
  },
};

/** Speakers and texts of segments that are not scored. */
const notScored = /^(?:inter_segment_gap|excluded_region|ignore_time_segment_in_scoring)$/i;

/** `{first / second}` are alternatives, and `@` is none. */
const alternatives = /\{([^{}/]*)\/[^{}]*\}/g;

const isStmRow = ([, channel, , start, end]: ReadonlyArray<string>): boolean =>
  /^\w+$/.test(channel ?? '') && isNumeric(start) && isNumeric(end);

/**
 * STM, the segment time marks of NIST's SCTK: `file channel speaker start end <labels> text`, times in seconds
 * (usnistgov/SCTK, "doc/infmts.htm").
 */
export const stm: LineFormat = {
  name: 'stm',
  reads: 'lines',
  recognises: (start) => areMost(rowsOf(start.split('\n')), isStmRow),
  read: (lines, reading) => {
    const { dropped } = reading;
    const recording = new RecordingChoice(reading);
    const utterances: Spoken[] = [];
    let rows = 0;
    for (const { line, columns } of rowsOf(lines)) {
      const [file = '', channel = '', speaker = '', from, to, ...rest] = columns;
      rows += 1;
      if (!recording.takes(file, line)) continue;
      const text = (/^<.*>$/.test(rest[0] ?? '') ? rest.slice(1) : rest).join(' ');
      const start = secondsAt(line, 'start', numberAt(line, 'start', from));
      const end = secondsAt(line, 'end', numberAt(line, 'end', to));
      if (notScored.test(speaker) || notScored.test(text)) dropped.add('segment that is not scored');
      else if (text === '') dropped.add('segment without text');
      else {
        const said = text.replaceAll(alternatives, '$1').replaceAll(/(^|\s)@(?=\s|$)/g, '$1');
        utterances.push({ speaker, channel, start, end, text: said.replaceAll(/\s+/g, ' ').trim(), place: line });
      }
    }
    return { recording: recording.chosen(), rows, utterances, missing: 'no segment with text' };
  },
};

/** Around alternatives, in rows with `*` for times. */
const mark = /^<ALT(?:_BEGIN|_END)?>$/i;

/** The types of the seventh column, in the evaluations of Rich Transcription; those after `lex` are no words. */
const types = /^(?:lex|frag|fp|un-lex|for-lex|non-lex|misc|noscore|noise)$/i;
const noWord = /^(?:non-lex|misc|noscore|noise)$/i;

const isCtmRow = ([, channel, start, duration, word = '', confidence]: ReadonlyArray<string>): boolean =>
  /^\w+$/.test(channel ?? '') &&
  ((isNumeric(start) && isNumeric(duration) && word !== '') || mark.test(word)) &&
  (confidence === undefined || confidence === 'NA' || isNumeric(confidence));

/**
 * CTM, the time marked conversations of NIST's SCTK: `file channel start duration word confidence`, times in seconds; in
 * Rich Transcription also the type of the word and its speaker (usnistgov/SCTK, "doc/infmts.htm").
 */
export const ctm: LineFormat = {
  name: 'ctm',
  reads: 'lines',
  recognises: (start) => areMost(rowsOf(start.split('\n')), isCtmRow),
  read: (lines, reading) => {
    const { dropped } = reading;
    const recording = new RecordingChoice(reading);
    const words: Spoken[] = [];
    let rows = 0;
    let isOther = false;
    for (const { line, columns } of rowsOf(lines)) {
      const [file = '', channel = '', onset, duration, word = '', confidence, type = '', speaker] = columns;
      rows += 1;
      if (confidence !== undefined && confidence !== 'NA') numberAt(line, 'confidence', confidence);
      if (columns.length > 8) refuse(line, `${columns.length} columns, but a row has 5 to 8`);
      if (!recording.takes(file, line)) continue;
      if (mark.test(word)) isOther = /^<ALT>$/i.test(word);
      else if (isOther) dropped.add('word of a second alternative');
      else if (noWord.test(type)) dropped.add('sound or word that is not scored');
      else {
        const said = types.test(type) ? (speaker ?? null) : null;
        const { start, end } = intervalOf(line, 'start', [onset, duration]);
        words.push({ speaker: said, channel, start, end, text: word, place: line });
      }
    }
    return { recording: recording.chosen(), rows, words, missing: 'no word' };
  },
};
