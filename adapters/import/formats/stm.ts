import type { LineFormat } from '../format.js';
import { chooseRecording } from '../recordings.js';
import { areMost, isNumeric, rowsOf, secondsIn } from '../rows.js';
import type { Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';

/** Speakers and texts of segments that are not scored. */
const notScored = /^(?:inter_segment_gap|excluded_region|ignore_time_segment_in_scoring)$/i;

/** `{first / second}` are alternatives, and `@` is none. */
const alternatives = /\{([^{}/]*)\/[^{}]*\}/g;

const isRow = ([, channel, , start, end]: ReadonlyArray<string>): boolean =>
  /^\w+$/.test(channel ?? '') && isNumeric(start) && isNumeric(end);

/**
 * STM, the segment time marks of NIST's SCTK: `file channel speaker start end <labels> text`, times in seconds
 * (usnistgov/SCTK, "doc/infmts.htm").
 */
export const stm: LineFormat = {
  name: 'stm',
  reads: 'lines',
  recognises: (start) => areMost(rowsOf(start.split('\n')), isRow),
  read: (lines, { recordings }) => {
    const dropped = new Tally();
    const recording = chooseRecording(recordings);
    const spoken: Spoken[] = [];
    let rows = 0;
    for (const row of rowsOf(lines)) {
      const [file = '', channel = '', speaker = '', from, to, ...rest] = row.columns;
      rows += 1;
      if (!recording.takes(file, row.line)) continue;
      const text = (/^<.*>$/.test(rest[0] ?? '') ? rest.slice(1) : rest).join(' ');
      const [start, end] = [secondsIn(row, 'start', from), secondsIn(row, 'end', to)];
      if (notScored.test(speaker) || notScored.test(text)) dropped.add('segment that is not scored');
      else if (text === '') dropped.add('segment without text');
      else {
        const said = text.replaceAll(alternatives, '$1').replaceAll(/(^|\s)@(?=\s|$)/g, '$1');
        spoken.push({ speaker, channel, start, end, text: said.replaceAll(/\s+/g, ' ').trim(), place: row.line });
      }
    }
    recording.close(dropped);
    return {
      recording: recording.chosen(),
      rows,
      speech: { grain: 'utterance', spoken, missing: 'no segment with text' },
      dropped,
    };
  },
};
