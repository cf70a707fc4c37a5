import * as E from 'fp-ts/lib/Either.js';
import { AvaFaces } from './ava-faces.js';
import { AvaScanner } from './ava-scanner.js';
import { splitAtCommas, numberFault, readSeconds } from './fields.js';
import { decodeLines, lineFeed } from './file-lines.js';
import type { ImportedFaces, ImportError, RecordingChoice } from './imported.js';
import { errorAt, type LineParser, accepted } from './line-parser.js';
import { RecordingFilter } from './recording-filter.js';

const audible = 'SPEAKING_AUDIBLE';
const labels = new Set(['NOT_SPEAKING', audible, 'SPEAKING_NOT_AUDIBLE']);
const box = ['x1', 'y1', 'x2', 'y2'];

/** Without and with the speaker column. */
const possibleColumns = new Set([8, 9]);

/** Some copies of the data set start with column names, the second of them `frame_timestamp`. */
const isHeader = (columns: ReadonlyArray<string>): boolean => /timestamp/i.test(columns[1] ?? '');

const boxFault = (corners: ReadonlyArray<string>): string | null => {
  for (const [index, name] of box.entries()) {
    const fault = numberFault(name, corners[index]?.trim() ?? '');
    if (fault !== null) return fault;
  }
  return null;
};

class AvaCsvParser implements LineParser<ImportedFaces> {
  readonly #recording: RecordingFilter;
  readonly #faces = new AvaFaces();
  readonly #scanner = new AvaScanner(this.#faces);
  #columns: number | null = null;
  #rows = 0;

  constructor({ recordings }: RecordingChoice) {
    this.#recording = new RecordingFilter(recordings);
  }

  take(text: string, line: number): E.Either<ImportError, void> {
    if (text.trim() === '') return accepted;
    const columns = splitAtCommas(text);
    if (!possibleColumns.has(columns.length))
      return errorAt(line, `${columns.length} columns, but an AVA-ActiveSpeaker row has 8, or 9 with a speaker`);
    if (this.#columns !== null && columns.length !== this.#columns)
      return errorAt(line, `${columns.length} columns, but the rows before have ${this.#columns}`);
    const first = this.#columns === null;
    this.#columns = columns.length;
    return first && isHeader(columns) ? accepted : this.#takeRow(columns, line);
  }

  /** Plain rows are read from the bytes, which is faster; all others are read as text. */
  takeBlock(block: Buffer, linesBefore: number): E.Either<ImportError, number> {
    let lines = 0;
    for (let start = 0; start <= block.length;) {
      const next = this.#columns === null ? -1 : this.#scanner.scan(block, start, this.#columns);
      lines += 1;
      if (next !== -1) {
        this.#rows += 1;
        start = next;
        continue;
      }
      const feed = block.indexOf(lineFeed, start);
      const end = feed === -1 ? block.length : feed;
      const slow = this.#takeAsText(block.subarray(start, end), linesBefore + lines - 1);
      if (E.isLeft(slow)) return slow;
      start = end + 1;
    }
    return E.right(lines);
  }

  finish(): E.Either<ImportError, ImportedFaces> {
    if (this.#rows === 0) return errorAt(null, 'the file has no rows');
    const complaint = this.#recording.complaint();
    if (complaint !== null) return errorAt(null, complaint);
    return E.right(this.#faces.toImported(this.#recording.chosen(), this.#rows, this.#recording.others()));
  }

  #takeAsText(bytes: Buffer, linesBefore: number): E.Either<ImportError, void> {
    const { lines, fault } = decodeLines(bytes, linesBefore);
    if (fault !== null) return E.left(fault);
    const answer = this.take(lines[0] ?? '', linesBefore + 1);
    this.#scanner.expect(this.#recording.chosen());
    return answer;
  }

  #takeRow(columns: ReadonlyArray<string>, line: number): E.Either<ImportError, void> {
    const [video = '', timestamp = '', x1 = '', y1 = '', x2 = '', y2 = '', label = '', entity = '', speaker] = columns;
    const refusal = this.#recording.refusal(video);
    if (refusal !== null) return errorAt(line, refusal);
    const at = readSeconds('timestamp', timestamp.trim());
    if (E.isLeft(at)) return errorAt(line, at.left);
    const fault = boxFault([x1, y1, x2, y2]);
    if (fault !== null) return errorAt(line, fault);
    if (!labels.has(label.trim()))
      return errorAt(line, `label ${JSON.stringify(label)} is not one of ${[...labels].join(', ')}`);
    if (entity.trim() === '') return errorAt(line, 'the entity id is empty');
    this.#rows += 1;
    if (this.#recording.takes(video))
      this.#faces.add(entity.trim(), at.right, label.trim() === audible, speaker?.trim() ?? null);
    return accepted;
  }
}

/**
 * A parser of AVA-ActiveSpeaker v1.0 CSV: `video_id,timestamp,x1,y1,x2,y2,label,entity_id` with the time of a video
 * frame in seconds and the corners of the face's box, optionally with AVA-AVD's ninth column, the speaker (see
 * {@link AvaFaces}). Rows may be in any order and repeat. Only the intervals that rows form are kept, not the rows, so
 * memory depends on the result and not on the file. A second video id is an error unless `recordings` chooses one.
 */
export const avaCsvParser = (options: RecordingChoice = {}): LineParser<ImportedFaces> => new AvaCsvParser(options);
