import * as E from 'fp-ts/lib/Either.js';
import { asSeconds, detached, readSeconds, toMicrosecond } from './fields.js';
import type { ImportedSpeech, ImportError, RecordingChoice, SpeakerTurn, Stretch } from './imported.js';
import { brokenAt, type LineParser, taken } from './line-parser.js';
import { RecordingFilter } from './recording-filter.js';
import { mostSpeakers, tooManySpeakers } from './build-speech.js';
import { personName } from './speaker-names.js';
import { speakerIds } from './speaker-ids.js';
import { byTime, totalSeconds } from './stretches.js';
import { Tally } from './tally.js';

/** The row types of the NIST Rich Transcription formats that hold no speaker's turn. */
const otherTypes = new Set(
  'A/P CB EDIT FILLER IP LEXEME NON-LEX NON-SPEECH NORT_DATA NO_RT_METADATA NOSCORE SEGMENT SPKR-INFO SU'.split(' '),
);

/** Is this the first word of an RTTM row? */
export const isRttmType = (word: string): boolean => word === 'SPEAKER' || otherTypes.has(word);

/** RT-05 has 9 columns; RT-09 has a tenth, the signal lookahead time. */
const leastColumns = 9;
const mostColumns = 10;

/** Step by step: files have millions, and to bind the steps together takes most of the time. */
const readTurn = (onset: string, duration: string): E.Either<string, Stretch> => {
  const start = readSeconds('onset', onset);
  if (E.isLeft(start)) return start;
  const length = readSeconds('duration', duration);
  if (E.isLeft(length)) return length;
  const end = asSeconds('end', start.right + length.right);
  return E.isLeft(end) ? end : E.right({ start: toMicrosecond(start.right), end: toMicrosecond(end.right) });
};

class RttmParser implements LineParser<ImportedSpeech> {
  readonly #recording: RecordingFilter;
  readonly #turns = new Map<string, Stretch[]>();
  readonly #dropped = new Tally();
  #rows = 0;

  constructor({ recordings }: RecordingChoice) {
    this.#recording = new RecordingFilter(recordings);
  }

  take(text: string, line: number): E.Either<ImportError, void> {
    const row = text.trim();
    if (row === '' || row.startsWith(';;')) return taken;
    const columns = row.split(/\s+/);
    const type = columns[0] ?? '';
    if (!isRttmType(type)) return brokenAt(line, `row type ${JSON.stringify(type)} is unknown to RTTM`);
    this.#rows += 1;
    if (type === 'SPEAKER') return this.#takeTurn(columns, line);
    this.#dropped.add(`${type} row: no speaker's turn`);
    return taken;
  }

  finish(): E.Either<ImportError, ImportedSpeech> {
    if (this.#rows === 0) return brokenAt(null, 'the file is empty: it has no row');
    const complaint = this.#recording.complaint();
    if (complaint !== null) return brokenAt(null, complaint);
    if (this.#turns.size === 0) return brokenAt(null, 'the file has no SPEAKER row');
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
    if (columns.length < leastColumns || columns.length > mostColumns)
      return brokenAt(line, `${columns.length} columns, but a SPEAKER row has ${leastColumns} or ${mostColumns}`);
    const refusal = this.#recording.refusal(file);
    if (refusal !== null) return brokenAt(line, refusal);
    const turn = readTurn(onset, duration);
    if (E.isLeft(turn)) return brokenAt(line, turn.left);
    if (label === '<NA>') return brokenAt(line, 'the speaker name is missing (<NA>)');
    if (!this.#recording.takes(file)) return taken;
    const turns = this.#turns.get(label);
    if (turns === undefined && this.#turns.size === mostSpeakers) return brokenAt(line, tooManySpeakers());
    if (turns === undefined) this.#turns.set(detached(label), [turn.right]);
    else turns.push(turn.right);
    return taken;
  }

  #turnsOf(speaker_id: number, label: string): ReadonlyArray<SpeakerTurn> {
    const sorted = (this.#turns.get(label) ?? []).toSorted(byTime);
    const distinct = sorted.filter((turn, index) => {
      const before = sorted[index - 1];
      return before === undefined || byTime(before, turn) !== 0;
    });
    const heard = distinct.filter(({ start, end }) => end > start);
    this.#dropped.add('row that repeats another', sorted.length - distinct.length);
    this.#dropped.add('turn of no length', distinct.length - heard.length);
    return heard.map(({ start, end }) => ({ speaker_id, start, end }));
  }
}

/**
 * A parser of RTTM, the Rich Transcription Time Marked format of NIST's RT-09 evaluation plan (appendix A), as
 * pyannote writes it too: `SPEAKER file channel onset duration <NA> <NA> name <NA> <NA>`, times in seconds.
 * Rows may stand in any order and overlap. Other row types are counted and left out, as are turns of no length
 * and repeated rows. One recording at a time: a second file id is an error unless `recordings` chooses one.
 */
export const rttmParser = (options: RecordingChoice = {}): LineParser<ImportedSpeech> => new RttmParser(options);
