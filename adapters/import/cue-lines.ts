import * as E from 'fp-ts/lib/Either.js';
import type { ImportError, Stretch } from './imported.js';
import { brokenAt, taken } from './line-parser.js';
import { clockSeconds } from './times.js';

/** A subtitle: when it is shown, its lines of text, and the line of the file that its times are on. */
export interface Cue extends Stretch {
  readonly line: number;
  readonly text: ReadonlyArray<string>;
}

type State =
  | { readonly in: 'header' | 'between' | 'comment' }
  | { readonly in: 'named'; readonly id: string }
  | { readonly in: 'cue'; readonly cue: Stretch & { readonly line: number; readonly text: string[] } };

/** An analysis has no more utterances than this; a recording has a cue every few seconds. */
const mostCues = 200_000;

const timing = /^(\S+)\s+-->\s+(\S+)(?:\s.*)?$/;
const arrow = '-->';
const comment = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

const readTimes = (text: string, line: number): E.Either<ImportError, Stretch> => {
  const [, from = '', to = ''] = timing.exec(text) ?? [];
  const [start, end] = [clockSeconds(from), clockSeconds(to)];
  if (start === null || end === null)
    return brokenAt(
      line,
      `${JSON.stringify(text.slice(0, 80))} are no times of a cue, as 00:00:01.000 --> 00:00:02.500`,
    );
  if (end < start) return brokenAt(line, `the cue ends at ${end} s, before it starts at ${start} s`);
  return E.right({ start, end });
};

/** Cuts WebVTT and SubRip into cues, line by line. An id is a cue's name: it stands once. */
export class CueLines {
  readonly cues: Cue[] = [];
  readonly #ids = new Set<string>();
  #state: State;

  /** @param header WebVTT begins with one, SubRip does not. */
  constructor(header: boolean) {
    this.#state = { in: header ? 'header' : 'between' };
  }

  take(raw: string, line: number): E.Either<ImportError, void> {
    const text = raw.trim();
    if (this.#state.in === 'cue') return this.#takeText(this.#state.cue, text);
    if (this.#state.in === 'named') return this.#takeTimes(text, line, this.#state.id);
    if (this.#state.in === 'between') return this.#takeStart(text, line);
    if (text === '') this.#state = { in: 'between' };
    return taken;
  }

  finish(lastLine: number): E.Either<ImportError, ReadonlyArray<Cue>> {
    if (this.#state.in === 'named' || (this.#state.in === 'cue' && this.#state.cue.text.length === 0))
      return brokenAt(lastLine, 'the file ends within a cue: it seems to be cut off');
    if (this.#state.in === 'cue') this.cues.push(this.#state.cue);
    return this.cues.length === 0 ? brokenAt(null, 'the file has no cue') : E.right(this.cues);
  }

  #takeStart(text: string, line: number): E.Either<ImportError, void> {
    if (text === '') return taken;
    if (text.includes(arrow)) return this.#takeTimes(text, line, null);
    this.#state = comment.test(text) ? { in: 'comment' } : { in: 'named', id: text };
    return taken;
  }

  #takeTimes(text: string, line: number, id: string | null): E.Either<ImportError, void> {
    if (!text.includes(arrow)) return brokenAt(line, "a cue's times are expected here");
    if (this.cues.length === mostCues) return brokenAt(line, `more than ${mostCues.toLocaleString('en')} cues`);
    const times = readTimes(text, line);
    if (E.isLeft(times)) return times;
    if (id !== null && this.#ids.has(id)) return brokenAt(line - 1, `the cue id ${JSON.stringify(id)} stands twice`);
    if (id !== null) this.#ids.add(id);
    this.#state = { in: 'cue', cue: { ...times.right, line, text: [] } };
    return taken;
  }

  #takeText(cue: Cue & { readonly text: string[] }, text: string): E.Either<ImportError, void> {
    if (text !== '') cue.text.push(text);
    else {
      this.cues.push(cue);
      this.#state = { in: 'between' };
    }
    return taken;
  }
}
