import { copyOf } from './fields.js';

const quoted = (ids: ReadonlyArray<string>): string => ids.map((id) => JSON.stringify(id)).join(' and ');

/** Selects the rows of one recording: the chosen one, or the only one in the file. */
export class RecordingFilter {
  readonly #wanted: ReadonlySet<string>;
  #accepted: string | null = null;
  #others = 0;

  constructor(wanted: ReadonlyArray<string> = []) {
    this.#wanted = new Set(wanted);
  }

  /** Why the file is refused when it has a row of this recording, or null. */
  refusal(recording: string): string | null {
    if (this.#accepted === null || recording === this.#accepted || !this.#wants(recording)) return null;
    return `the file contains more than one recording (${quoted([this.#accepted, recording])}); choose one with --recording`;
  }

  /** Whether a row of this recording is imported. Counts the others. */
  takes(recording: string): boolean {
    if (this.#wants(recording)) this.#accepted ??= copyOf(recording);
    else this.#others += 1;
    return recording === this.#accepted;
  }

  /** Why no row was imported, or null. */
  complaint(): string | null {
    if (this.#wanted.size === 0 || this.#accepted !== null) return null;
    return `the file has no rows of the recording ${quoted([...this.#wanted])}`;
  }

  /** The imported recording. */
  chosen(): string | null {
    return this.#accepted;
  }

  /** The note about rows of other recordings, and their number. */
  others(): readonly [what: string, count: number] {
    return ['row of another recording', this.#others];
  }

  #wants(recording: string): boolean {
    return this.#wanted.size === 0 || this.#wanted.has(recording);
  }
}
