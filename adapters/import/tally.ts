import type { ImportNote } from './imported.js';

/** Counts occurrences by their description. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: string, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  /** Adds what another tally counted. */
  addAll(other: Tally): void {
    for (const { what, count } of other.notes()) this.add(what, count);
  }

  notes(): ReadonlyArray<ImportNote> {
    return [...this.#counts].map(([what, count]) => ({ count, what })).sort((a, b) => (a.what < b.what ? -1 : 1));
  }
}
