import { detached } from './fields.js';

const quoted = (ids: ReadonlyArray<string>): string => ids.map((id) => JSON.stringify(id)).join(' and ');

/** Takes the rows of one recording: of the chosen ones the one that the file has, or the file's only one. */
export class RecordingFilter {
  readonly #wanted: ReadonlySet<string>;
  #taken: string | null = null;
  #others = 0;

  constructor(wanted: ReadonlyArray<string> = []) {
    this.#wanted = new Set(wanted);
  }

  /** Why a row of this recording cannot stand in the file, or null. */
  refusal(recording: string): string | null {
    if (this.#taken === null || recording === this.#taken || !this.#wants(recording)) return null;
    return `the file holds more than one recording (${quoted([this.#taken, recording])}): choose one`;
  }

  /** Is this row to be taken? Counts it if not. */
  takes(recording: string): boolean {
    if (this.#wants(recording)) this.#taken ??= detached(recording);
    else this.#others += 1;
    return recording === this.#taken;
  }

  /** Why nothing was taken, or null. */
  complaint(): string | null {
    if (this.#wanted.size === 0 || this.#taken !== null) return null;
    return `the file has no row of the recording ${quoted([...this.#wanted])}`;
  }

  /** The recording that was taken. */
  chosen(): string | null {
    return this.#taken;
  }

  /** What was left out, and how often. */
  others(): readonly [what: string, count: number] {
    return ['row of another recording', this.#others];
  }

  #wants(recording: string): boolean {
    return this.#wanted.size === 0 || this.#wanted.has(recording);
  }
}
