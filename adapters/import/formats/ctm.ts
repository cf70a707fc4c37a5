import type { LineFormat } from '../format.js';
import { refuse } from '../imported.js';
import { chooseRecording } from '../recordings.js';
import { areMost, isNumeric, lasting, numberIn, rowsOf } from '../rows.js';
import type { Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';

/** Around alternatives, in rows with `*` for times. */
const mark = /^<ALT(?:_BEGIN|_END)?>$/i;

/** The types of the seventh column, in the evaluations of Rich Transcription; those after `lex` are no words. */
const types = /^(?:lex|frag|fp|un-lex|for-lex|non-lex|misc|noscore|noise)$/i;
const noWord = /^(?:non-lex|misc|noscore|noise)$/i;

const isRow = ([, channel, start, duration, word = '', confidence]: ReadonlyArray<string>): boolean =>
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
  recognises: (start) => areMost(rowsOf(start.split('\n')), isRow),
  read: (lines, { recordings }) => {
    const dropped = new Tally();
    const recording = chooseRecording(recordings);
    const spoken: Spoken[] = [];
    let rows = 0;
    let isOther = false;
    for (const row of rowsOf(lines)) {
      const [file = '', channel = '', start, duration, word = '', confidence, type = '', speaker] = row.columns;
      rows += 1;
      if (confidence !== undefined && confidence !== 'NA') numberIn(row, 'confidence', confidence);
      if (row.columns.length > 8) refuse(row.line, `${row.columns.length} columns, but a row has 5 to 8`);
      if (!recording.takes(file, row.line)) continue;
      if (mark.test(word)) isOther = /^<ALT>$/i.test(word);
      else if (isOther) dropped.add('word of a second alternative');
      else if (noWord.test(type)) dropped.add('sound or word that is not scored');
      else {
        const said = types.test(type) ? (speaker ?? null) : null;
        spoken.push({ ...lasting(row, start, duration), speaker: said, channel, text: word, place: row.line });
      }
    }
    recording.close(dropped);
    return { recording: recording.chosen(), rows, speech: { grain: 'word', spoken, missing: 'no word' }, dropped };
  },
};
