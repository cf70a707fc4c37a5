import * as E from 'fp-ts/lib/Either.js';
import type { ImportError, Interval } from './imported.js';
import { errorAt, accepted } from './line-parser.js';
import { clockSeconds } from './times.js';

/** A subtitle: when it is shown, its lines of text, and the line of the file with its times. */
export interface Cue extends Interval {
  readonly line: number;
  readonly text: ReadonlyArray<string>;
}

type State =
  | { readonly in: 'header' | 'between' | 'comment' }
  | { readonly in: 'named'; readonly id: string }
  | { readonly in: 'cue'; readonly cue: Interval & { readonly line: number; readonly text: string[] } };

/** The limit of utterances in an analysis. */
const maxCues = 200_000;

const timing = /^(\S+)\s+-->\s+(\S+)(?:\s.*)?$/;
const arrow = '-->';
const comment = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

const readTimes = (text: string, line: number): E.Either<ImportError, Interval> => {
  const [, from = '', to = ''] = timing.exec(text) ?? [];
  const [start, end] = [clockSeconds(from), clockSeconds(to)];
  if (start === null || end === null)
    return errorAt(
      line,
      `${JSON.stringify(text.slice(0, 80))} is not a valid pair of cue times, such as 00:00:01.000 --> 00:00:02.500`,
    );
  if (end < start) return errorAt(line, `the cue ends at ${end} s, before it starts at ${start} s`);
  return E.right({ start, end });
};

/** Parses WebVTT and SubRip into cues, line by line. The id of a cue has to be unique. */
export class CueLines {
  readonly cues: Cue[] = [];
  readonly #ids = new Set<string>();
  #state: State;

  /** @param header whether the file begins with a header: WebVTT does, SubRip does not. */
  constructor(header: boolean) {
    this.#state = { in: header ? 'header' : 'between' };
  }

  take(raw: string, line: number): E.Either<ImportError, void> {
    const text = raw.trim();
    if (this.#state.in === 'cue') return this.#takeText(this.#state.cue, text);
    if (this.#state.in === 'named') return this.#takeTimes(text, line, this.#state.id);
    if (this.#state.in === 'between') return this.#takeStart(text, line);
    if (text === '') this.#state = { in: 'between' };
    return accepted;
  }

  finish(lastLine: number): E.Either<ImportError, ReadonlyArray<Cue>> {
    if (this.#state.in === 'named' || (this.#state.in === 'cue' && this.#state.cue.text.length === 0))
      return errorAt(lastLine, 'the file ends within a cue; it seems to be truncated');
    if (this.#state.in === 'cue') this.cues.push(this.#state.cue);
    return this.cues.length === 0 ? errorAt(null, 'the file has no cues') : E.right(this.cues);
  }

  #takeStart(text: string, line: number): E.Either<ImportError, void> {
    if (text === '') return accepted;
    if (text.includes(arrow)) return this.#takeTimes(text, line, null);
    this.#state = comment.test(text) ? { in: 'comment' } : { in: 'named', id: text };
    return accepted;
  }

  #takeTimes(text: string, line: number, id: string | null): E.Either<ImportError, void> {
    if (!text.includes(arrow)) return errorAt(line, 'expected the times of a cue here');
    if (this.cues.length === maxCues) return errorAt(line, `more than ${maxCues.toLocaleString('en')} cues`);
    const times = readTimes(text, line);
    if (E.isLeft(times)) return times;
    if (id !== null && this.#ids.has(id)) return errorAt(line - 1, `duplicate cue id ${JSON.stringify(id)}`);
    if (id !== null) this.#ids.add(id);
    this.#state = { in: 'cue', cue: { ...times.right, line, text: [] } };
    return accepted;
  }

  #takeText(cue: Cue & { readonly text: string[] }, text: string): E.Either<ImportError, void> {
    if (text !== '') cue.text.push(text);
    else {
      this.cues.push(cue);
      this.#state = { in: 'between' };
    }
    return accepted;
  }
}
