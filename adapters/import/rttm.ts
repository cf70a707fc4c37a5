import * as E from 'fp-ts/lib/Either.js';
import { asSeconds, copyOf, readSeconds, toMicrosecond } from './fields.js';
import type { ImportedSpeech, ImportError, RecordingChoice, SpeakerTurn, Interval } from './imported.js';
import { errorAt, type LineParser, accepted } from './line-parser.js';
import { RecordingFilter } from './recording-filter.js';
import { maxSpeakers, tooManySpeakers } from './build-speech.js';
import { personName, speakerIds } from './speaker-labels.js';
import { byTime, totalSeconds } from './intervals.js';
import { Tally } from './tally.js';

/** The row types of the NIST Rich Transcription formats other than SPEAKER. */
const otherTypes = new Set(
  'A/P CB EDIT FILLER IP LEXEME NON-LEX NON-SPEECH NORT_DATA NO_RT_METADATA NOSCORE SEGMENT SPKR-INFO SU'.split(' '),
);

/** Whether a word is the first word of an RTTM row. */
export const isRttmType = (word: string): boolean => word === 'SPEAKER' || otherTypes.has(word);

/** RT-05 has 9 columns; RT-09 has a tenth, the signal lookahead time. */
const minColumns = 9;
const maxColumns = 10;

/** Written without `pipe`, which would take most of the time in files with millions of rows. */
const readTurn = (onset: string, duration: string): E.Either<string, Interval> => {
  const start = readSeconds('onset', onset);
  if (E.isLeft(start)) return start;
  const length = readSeconds('duration', duration);
  if (E.isLeft(length)) return length;
  const end = asSeconds('end', start.right + length.right);
  return E.isLeft(end) ? end : E.right({ start: toMicrosecond(start.right), end: toMicrosecond(end.right) });
};

class RttmParser implements LineParser<ImportedSpeech> {
  readonly #recording: RecordingFilter;
  readonly #turns = new Map<string, Interval[]>();
  readonly #dropped = new Tally();
  #rows = 0;

  constructor({ recordings }: RecordingChoice) {
    this.#recording = new RecordingFilter(recordings);
  }

  take(text: string, line: number): E.Either<ImportError, void> {
    const row = text.trim();
    if (row === '' || row.startsWith(';;')) return accepted;
    const columns = row.split(/\s+/);
    const type = columns[0] ?? '';
    if (!isRttmType(type)) return errorAt(line, `unknown RTTM row type ${JSON.stringify(type)}`);
    this.#rows += 1;
    if (type === 'SPEAKER') return this.#takeTurn(columns, line);
    this.#dropped.add(`${type} row: not a speaker turn`);
    return accepted;
  }

  finish(): E.Either<ImportError, ImportedSpeech> {
    if (this.#rows === 0) return errorAt(null, 'the file has no rows');
    const complaint = this.#recording.complaint();
    if (complaint !== null) return errorAt(null, complaint);
    if (this.#turns.size === 0) return errorAt(null, 'the file has no SPEAKER row');
    const ids = speakerIds([...this.#turns.keys()]);
    const segments = ids.flatMap(({ speaker_id, label }) => this.#turnsOf(speaker_id, label));
    segments.sort((a, b) => byTime(a, b) || a.speaker_id - b.speaker_id);
    this.#dropped.add(...this.#recording.others());
    const summary = {
      recording: this.#recording.chosen(),
      rows: this.#rows,
      seconds: totalSeconds(segments),
      dropped: this.#dropped.notes(),
      notes: [],
    };
    const speakers = ids.map((speaker) => ({ ...speaker, name: personName(speaker.label), role: null }));
    return E.right({ speakers, segments, transcript: null, summary });
  }

  #takeTurn(columns: ReadonlyArray<string>, line: number): E.Either<ImportError, void> {
    const [, file = '', , onset = '', duration = '', , , label = ''] = columns;
    if (columns.length < minColumns || columns.length > maxColumns)
      return errorAt(line, `${columns.length} columns, but a SPEAKER row has ${minColumns} or ${maxColumns}`);
    const refusal = this.#recording.refusal(file);
    if (refusal !== null) return errorAt(line, refusal);
    const turn = readTurn(onset, duration);
    if (E.isLeft(turn)) return errorAt(line, turn.left);
    if (label === '<NA>') return errorAt(line, 'the speaker name is missing (<NA>)');
    if (!this.#recording.takes(file)) return accepted;
    const turns = this.#turns.get(label);
    if (turns === undefined && this.#turns.size === maxSpeakers) return errorAt(line, tooManySpeakers());
    if (turns === undefined) this.#turns.set(copyOf(label), [turn.right]);
    else turns.push(turn.right);
    return accepted;
  }

  #turnsOf(speaker_id: number, label: string): ReadonlyArray<SpeakerTurn> {
    const sorted = (this.#turns.get(label) ?? []).toSorted(byTime);
    const distinct = sorted.filter((turn, index) => {
      const before = sorted[index - 1];
      return before === undefined || byTime(before, turn) !== 0;
    });
    const heard = distinct.filter(({ start, end }) => end > start);
    this.#dropped.add('duplicate row', sorted.length - distinct.length);
    this.#dropped.add('turn without duration', distinct.length - heard.length);
    return heard.map(({ start, end }) => ({ speaker_id, start, end }));
  }
}

/**
 * A parser of RTTM, the Rich Transcription Time Marked format of NIST's RT-09 evaluation plan (appendix A), as
 * pyannote writes it too: `SPEAKER file channel onset duration <NA> <NA> name <NA> <NA>`, times in seconds.
 * Rows may be in any order and overlap. Other row types, turns without duration and duplicate rows are counted and left
 * out. A second file id is an error unless `recordings` chooses one.
 */
export const rttmParser = (options: RecordingChoice = {}): LineParser<ImportedSpeech> => new RttmParser(options);
